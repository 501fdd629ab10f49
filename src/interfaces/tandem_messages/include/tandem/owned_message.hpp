// A message of any type as `new` makes it, owned.
#pragma once

#include <memory>

#include "tandem/message_type.hpp"

namespace tandem {

/// Destroys a message as `delete` does.
struct MessageDeleter {
  const MessageType * type = nullptr;  ///< lives for ever
  void operator()(void * message) const noexcept;
};

/// A message made by make_message(), or by `new` of a generated struct.
using OwnedMessage = std::unique_ptr<void, MessageDeleter>;

/// A default-constructed message in the message heap, so that it can be published as it is. Thread-safe.
/// Errors: std::bad_alloc.
OwnedMessage make_message(const MessageType & type);

/// A message of a generated struct as one of any type.
template <class Message>
OwnedMessage erase_type(std::unique_ptr<Message> message) {
  return OwnedMessage(message.release(), {&message_type<Message>()});
}

}  // namespace tandem
