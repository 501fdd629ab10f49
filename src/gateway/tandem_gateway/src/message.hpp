// A message on its way through the gateway: borrowed from a publisher of this host, or an object of our own.
#pragma once

#include <utility>

#include "grade.hpp"
#include "tandem/message_memory.hpp"
#include "tandem/message_type.hpp"
#include "tandem/transport.hpp"

namespace tandem::gateway {

/// An object as `new T` makes it, in the message heap, so that a publisher of this host takes it over without a copy.
/// Errors of the constructor: std::bad_alloc.
class NewMessage {
 public:
  NewMessage() = default;
  explicit NewMessage(const MessageType & type) : type_(&type) {
    memory_ = detail::allocate_message(type.size, detail::kDefaultAlignment);
    try {
      type.construct(memory_);
    } catch (...) {
      detail::free_message(memory_, detail::kDefaultAlignment);
      throw;
    }
  }
  NewMessage(NewMessage && other) noexcept { *this = std::move(other); }
  NewMessage & operator=(NewMessage && other) noexcept {
    std::swap(type_, other.type_);
    std::swap(memory_, other.memory_);
    return *this;
  }
  ~NewMessage() {
    if (memory_ != nullptr) {
      type_->destroy(memory_);
      detail::free_message(memory_, detail::kDefaultAlignment);
    }
  }
  void * get() const { return memory_; }
  /// Somebody else destroys it.
  void release() { memory_ = nullptr; }
  explicit operator bool() const { return memory_ != nullptr; }

 private:
  const MessageType * type_ = nullptr;
  void * memory_ = nullptr;
};

/// Either of the two.
struct Item {
  transport::Sample sample;
  NewMessage own;
  transport::MessageInfo info;
  Grade grade;           ///< of the subscription that brought it
  std::size_t size = 0;  ///< bytes of its CDR
  const void * message() const { return own ? own.get() : sample.message; }
};

}  // namespace tandem::gateway
