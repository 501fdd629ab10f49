// How Cyclone DDS sees our messages: as CDR that it neither makes nor reads.
//
// A message is written straight into a CdrData (copy 1), which Cyclone sends from where it lies and which readers of
// this process share; what comes from the network is put together in a CdrData (copy 1 of the receiver) and read from
// there into the message (copy 2).
#pragma once

#include <dds/ddsi/ddsi_serdata.h>
#include <dds/ddsi/ddsi_sertype.h>

#include <cstdint>
#include <memory>
#include <string>

#include "tandem/message_type.hpp"

namespace rmw_cyclonedds {

/// A type under its name on the wire. Interned by Cyclone.
struct CdrType : ddsi_sertype {
  const tandem::MessageType * message;  ///< null: bytes that only the adapter understands
};

/// A type that Cyclone frees with its last endpoint; `fits_shared_memory`: its bytes may be lent by iceoryx.
/// Errors: std::bad_alloc.
CdrType * make_type(const std::string & name, const tandem::MessageType * message, bool fits_shared_memory);

/// A message on its way. Counted by Cyclone (ddsi_serdata_ref, ddsi_serdata_unref).
struct alignas(16) CdrData : ddsi_serdata {
  std::uint64_t sequence;  ///< of its publisher, from 0
  std::uint32_t size;      ///< bytes of CDR with their encapsulation; 0: the message lies in iox_chunk
  bool is_local;           ///< published by this process

  std::uint8_t * bytes() { return reinterpret_cast<std::uint8_t *>(this + 1); }
  const std::uint8_t * bytes() const { return reinterpret_cast<const std::uint8_t *>(this + 1); }
};

/// Room for `size` bytes. Null when memory is full.
CdrData * make_data(const ddsi_sertype & type, std::uint32_t size) noexcept;

/// The sequence number of what this thread hands to dds_write() next.
void number_next(std::uint64_t sequence);

struct Unref {
  void operator()(CdrData * data) const { ddsi_serdata_unref(data); }
};
using CdrDataPtr = std::unique_ptr<CdrData, Unref>;

}  // namespace rmw_cyclonedds
