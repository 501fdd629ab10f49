// What travels with every message: the user header of an iceoryx chunk.
#pragma once

#include <cstdint>
#include <type_traits>

#include "tandem/message_type.hpp"
#include "tandem/transport.hpp"

namespace iceoryx {

/// Shared between processes: a change of it changes kMagic.
struct MessageHeader {
  static constexpr std::uint64_t kMagic = 0x74646d696f780001;

  std::uint64_t magic;
  std::uint64_t type_tag;  ///< of the message that lies, or lay, in the payload
  std::uint64_t size;      ///< bytes of the payload: a message of fixed size, or its CDR
  std::uint64_t sequence;
  std::int64_t stamp;            ///< ns since the epoch
  std::int64_t publisher_since;  ///< CLOCK_MONOTONIC, ns
  std::uint64_t process;         ///< random, one for each process
  tandem::transport::Gid publisher;
  tandem::transport::Reliability reliability;
  tandem::transport::Durability durability;
};
static_assert(std::is_trivially_copyable_v<MessageHeader> && sizeof(MessageHeader) == 80);

/// Tells types apart, and definitions of one type.
inline std::uint64_t type_tag(const tandem::MessageType & type) {
  std::uint64_t tag = type.abi ^ (type.size * 0x9e3779b97f4a7c15);
  for (const std::uint8_t byte : type.hash) {
    tag = (tag ^ byte) * 0x100000001b3;
  }
  for (const char * c = type.name; *c != '\0'; ++c) {
    tag = (tag ^ static_cast<std::uint8_t>(*c)) * 0x100000001b3;
  }
  return tag;
}

}  // namespace iceoryx
