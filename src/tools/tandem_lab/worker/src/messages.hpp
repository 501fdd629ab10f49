// The messages that a transport carries, and where the payload lies in each.
#pragma once

#include <cstddef>
#include <span>

#include "spec.hpp"
#include "tandem/message_type.hpp"

namespace lab {

struct MessageKind {
  const tandem::MessageType & (*type)();
  /// Brings a constructed message to so many bytes of payload and says where they lie.
  std::span<std::byte> (*prepare)(void * message, std::size_t size);
  std::span<const std::byte> (*payload)(const void * message);
};

/// What the spec's `message` and `size` name.
/// \throws std::runtime_error when a fixed message of this size does not exist.
MessageKind message_kind(const Spec & spec);

}  // namespace lab
