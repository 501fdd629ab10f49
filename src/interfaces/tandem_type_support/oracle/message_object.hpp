// An object of a message type that is known at run time only.
#pragma once

#include <new>

#include "tandem/message_type.hpp"

namespace tandem::oracle {

/// Default-constructed, owned.
class MessageObject {
 public:
  explicit MessageObject(const MessageType & type)
      : type_(type), memory_(::operator new(type.size, std::align_val_t(type.alignment))) {
    type_.construct(memory_);
  }
  ~MessageObject() {
    type_.destroy(memory_);
    ::operator delete(memory_, std::align_val_t(type_.alignment));
  }
  MessageObject(const MessageObject &) = delete;
  MessageObject & operator=(const MessageObject &) = delete;

  void * get() noexcept { return memory_; }
  const void * get() const noexcept { return memory_; }

 private:
  const MessageType & type_;
  void * const memory_;
};

}  // namespace tandem::oracle
