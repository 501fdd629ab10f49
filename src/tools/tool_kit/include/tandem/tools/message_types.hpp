// Types of messages that are known at run time only, and objects of them.
#pragma once

#include "tandem/message_type.hpp"
#include "tandem/transport.hpp"

namespace tandem::tools {

/// An object of a type: default-constructed, owned, not copyable.
class Message {
 public:
  /// \throws std::bad_alloc
  explicit Message(const MessageType & type);
  ~Message();
  Message(const Message &) = delete;
  Message & operator=(const Message &) = delete;

  const MessageType & type() const { return type_; }
  void * get() { return memory_; }

 private:
  const MessageType & type_;
  void * memory_;
};

/// The installed type that an endpoint has. \throws Error if it is not installed, or differs from the endpoint's.
const MessageType & installed_type(const transport::EndpointInfo & endpoint);

/// The type of an endpoint for somebody who only counts its messages: the installed one or, if there is none, one without
/// fields and size that matches all the same where messages lie in shared memory.
const MessageType & countable_type(const transport::EndpointInfo & endpoint);

/// Whether the fields of a type are known, which those of countable_type() may not be.
bool is_opaque(const MessageType & type);

}  // namespace tandem::tools
