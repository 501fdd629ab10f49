// How Cyclone DDS sees our messages: as CDR that it neither makes nor reads.
//
// The kit serializes a message straight into a CdrData (copy 1), which Cyclone sends from where it lies and which readers
// of this process share; what comes from the network is put together in a CdrData (copy 1 of the receiver), from which
// the kit deserializes (copy 2).
#pragma once

#include <dds/ddsi/ddsi_serdata.h>
#include <dds/ddsi/ddsi_sertype.h>

#include <cstdint>
#include <memory>
#include <string>

#include "tandem/kit/chunk.hpp"

namespace rmw_cyclonedds {

/// A type of our kind: a name on the wire, and no more. Cyclone frees it with the last reference. Errors: std::bad_alloc.
ddsi_sertype * make_type(const std::string & name);

/// A message on its way. Counted by Cyclone (ddsi_serdata_ref, ddsi_serdata_unref).
struct alignas(16) CdrData : ddsi_serdata {
  std::uint64_t sequence;  ///< of its publisher, from 0
  std::uint32_t size;      ///< bytes of CDR with their encapsulation

  std::uint8_t * bytes() { return reinterpret_cast<std::uint8_t *>(this + 1); }
  const std::uint8_t * bytes() const { return reinterpret_cast<const std::uint8_t *>(this + 1); }
};

/// Room for `size` bytes. Null when memory is full, and for more than 4 GB.
CdrData * make_data(const ddsi_sertype & type, std::size_t size) noexcept;

struct Unref {
  void operator()(CdrData * data) const { ddsi_serdata_unref(data); }
};
using CdrDataPtr = std::unique_ptr<CdrData, Unref>;

/// One reference, as the kit has it.
class CdrChunk final : public tandem::transport::Chunk {
 public:
  explicit CdrChunk(CdrDataPtr from) : message(std::move(from)) {
    data = reinterpret_cast<std::byte *>(message->bytes());
    size = message->size;
  }

  CdrDataPtr message;
};

}  // namespace rmw_cyclonedds
