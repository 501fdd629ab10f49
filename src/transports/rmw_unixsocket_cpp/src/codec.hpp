// From messages to the bytes that a socket carries, and back.
#pragma once

#include <memory>

#include "links.hpp"
#include "tandem/message_type.hpp"

namespace unixsocket {

/// A message of its own, default-constructed. Errors: std::bad_alloc.
class OwnMessage {
 public:
  explicit OwnMessage(const tandem::MessageType & type);
  ~OwnMessage();
  OwnMessage(const OwnMessage &) = delete;
  OwnMessage & operator=(const OwnMessage &) = delete;
  void * get() const { return memory_.data(); }

 private:
  const tandem::MessageType & type_;
  const Payload memory_;
};

/// The bytes of a message: its own if its type is of fixed size, else CDR. Null when it is too large for CDR.
/// Errors: std::bad_alloc.
std::shared_ptr<const Payload> encode(const tandem::MessageType & type, const void * message);

/// The message; of a fixed-size type it lies in the payload. Null, with a line on stderr, when the bytes are none.
/// Errors: std::bad_alloc.
std::shared_ptr<const void> decode(const tandem::MessageType & type, std::shared_ptr<const Payload> payload);

}  // namespace unixsocket
