// Types of messages that stay serialized: for who passes bytes on and need not know what is in them.
#pragma once

#include <array>
#include <cstdint>
#include <string>

#include "tandem/message_type.hpp"
#include "tandem/vector.hpp"

namespace tandem {

/// A message of a serialized type.
struct SerializedMessage {
  Vector<std::uint8_t> bytes;  ///< CDR with its encapsulation, of either byte order
};

/// A type that is called `name` and whose messages are SerializedMessage: deserialize() keeps the bytes as they are,
/// serialize() writes them so. For transports that carry CDR; to others it is a type of its own. It lives as long as the
/// process. Thread-safe. Errors: std::bad_alloc.
const MessageType & serialized_type(const std::string & name, const std::array<std::uint8_t, 32> & hash);

/// Whether serialized_type() made it. Thread-safe.
bool is_serialized(const MessageType & type) noexcept;

}  // namespace tandem
