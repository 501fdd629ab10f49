// What goes over the sockets. Both sides are on one host and have the same ABI, so the structs go as they are.
//
//   publisher: one ROUTER socket, bound          subscription: one DEALER socket for each matched publisher, connected
//
//   routing id of the DEALER ->  Introduction: who reads, and how; sent by libzmq with every connection
//   an empty frame           ->  (ZMQ_PROBE_ROUTER) the introduction is complete
//   <- kWelcome                  sequence: the first that will come; from here on the pair is matched
//   <- kMessage ...              the history that is owed first, then what is published; payload behind the header
//   <- kQuestion, kAnswer ->     has everything before `sequence` arrived? It has.
//   kTaken ->                    everything before `sequence` was taken: room for a keep-all publisher
//   <- kFarewell                 nothing comes any more; `sequence` is what would have been next
//
// A frame that fits none of this is dropped.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include <zmq.hpp>

#include "tandem/transport.hpp"

namespace rmw_zeromq {

using tandem::transport::Gid;

enum class Kind : std::uint8_t { kMessage = 1, kWelcome, kQuestion, kFarewell, kAnswer, kTaken };

enum class Encoding : std::uint8_t {
  kMemory,  ///< of a type of fixed size: its bytes
  kCdr,
};

struct Header {
  std::uint32_t magic = kMagic;
  Kind kind = Kind::kMessage;
  Encoding encoding = Encoding::kMemory;
  std::uint16_t window = 0;  ///< of kWelcome: messages that may be on their way; 0: the publisher does not wait
  std::uint64_t sequence = 0;
  std::int64_t stamp = 0;  ///< ns since the epoch, of kMessage
  Gid publisher{};

  static constexpr std::uint32_t kMagic = 0x315a4d54;  // "TMZ1"
};
// 40: libzmq keeps 40 bytes of its own before the data of a large message, so the payload is aligned as malloc's memory
static_assert(sizeof(Header) == 40 && std::is_trivially_copyable_v<Header>);

/// The header of a frame; nothing when it is none.
std::optional<Header> header_of(const zmq::message_t & frame);
inline const std::byte * payload_of(const zmq::message_t & frame) {
  return static_cast<const std::byte *>(frame.data()) + sizeof(Header);
}
inline std::size_t payload_size(const zmq::message_t & frame) { return frame.size() - sizeof(Header); }

/// Who reads, and how, in at most 33 bytes: so long a frame needs no memory of its own.
struct Introduction {
  Gid subscription{};
  std::uint64_t publisher = 0;  ///< a part of its gid: another one may have the address meanwhile
  std::uint32_t depth = 0;
  bool keeps_all = false;
  bool is_reliable = false;
  bool wants_history = false;

  static std::uint64_t tag_of(const Gid & publisher);
  std::string to_routing_id() const;
  static std::optional<Introduction> parse(const zmq::message_t & routing_id);
};

}  // namespace rmw_zeromq
