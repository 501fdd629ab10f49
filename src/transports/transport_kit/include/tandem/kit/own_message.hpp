// A message object that a transport makes itself: to lend, or to deserialize into.
#pragma once

#include "tandem/message_type.hpp"

namespace tandem::transport {

/// A default-constructed message in the message heap (tandem/message_memory.hpp), so that a process that hands it on to
/// tandem_core need not copy it. Errors of the constructor: std::bad_alloc.
class OwnMessage {
 public:
  explicit OwnMessage(const MessageType & type);
  ~OwnMessage();
  OwnMessage(const OwnMessage &) = delete;
  OwnMessage & operator=(const OwnMessage &) = delete;
  void * get() const { return memory_; }

 private:
  const MessageType & type_;
  void * const memory_;
};

}  // namespace tandem::transport
