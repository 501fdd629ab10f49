// What goes over the sockets. Both sides are on one host and have the same ABI, so the structs go as they are.
//
//   publisher: one ROUTER socket, bound           subscription: a DEALER socket for each publisher, connected
//
//   <--  routing id of the DEALER: who reads, and whom; libzmq sends it with every connection
//   <--  an empty frame (ZMQ_PROBE_ROUTER)
//   -->  Frame payload
//
// A frame that fits none of this is dropped.
#pragma once

#include <cstdint>
#include <cstring>
#include <optional>
#include <string>
#include <string_view>

#include "tandem/kit/wire.hpp"

namespace rmw_zeromq {

using tandem::transport::Gid;

struct Frame {
  static constexpr std::uint64_t kMagic = 0x32'7165'6d6f'7265;  // its last byte is the version

  std::uint64_t magic = kMagic;
  tandem::transport::Header header;
  Gid publisher{};
};
// 40: libzmq keeps 40 bytes of its own before the data of a large message, so the payload is aligned as malloc's memory
static_assert(sizeof(Frame) == 40);

/// A publisher's address may be another's meanwhile, so a subscription says whom it wants. Less than 34 bytes: so long a
/// frame needs no memory of its own.
struct RoutingId {
  char mark = 'S';  ///< not 0: such ids are libzmq's own
  Gid subscription{};
  std::array<std::uint8_t, 12> publisher{};  ///< the end of its gid

  static RoutingId of(const Gid & subscription, const Gid & publisher) {
    RoutingId id;
    id.subscription = subscription;
    std::memcpy(id.publisher.data(), publisher.data() + 4, id.publisher.size());
    return id;
  }
  std::string_view text() const { return {reinterpret_cast<const char *>(this), sizeof *this}; }
};
static_assert(sizeof(RoutingId) == 29);

}  // namespace rmw_zeromq
