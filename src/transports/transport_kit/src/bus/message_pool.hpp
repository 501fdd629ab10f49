// Messages of one type that a subscription copies into, used again with the memory that they own.
#pragma once

#include <array>
#include <cstddef>
#include <memory>
#include <mutex>
#include <utility>

#include "tandem/transport.hpp"

namespace tandem::transport {

/// Thread-safe. Lives until the last message is back.
class MessagePool {
 public:
  /// A message that was used before, or a new one. It returns to `pool` when its last user lets it go.
  /// Errors: std::bad_alloc.
  static std::shared_ptr<void> take(const std::shared_ptr<MessagePool> & pool, const MessageType & type) {
    OwnedMessage message = pool->pop();
    if (!message) {
      message = make_message(type);
    }
    return {message.release(), [pool, &type](void * returned) { pool->push(OwnedMessage(returned, {&type})); }};
  }

 private:
  OwnedMessage pop() {
    const std::lock_guard<std::mutex> lock(mutex_);
    return count_ == 0 ? OwnedMessage() : std::move(messages_[--count_]);
  }
  void push(OwnedMessage message) {
    const std::lock_guard<std::mutex> lock(mutex_);
    if (count_ < messages_.size()) {
      messages_[count_++] = std::move(message);
    }
  }

  std::mutex mutex_;
  std::size_t count_ = 0;                 ///< guarded by mutex_
  std::array<OwnedMessage, 4> messages_;  ///< guarded by mutex_
};

}  // namespace tandem::transport
