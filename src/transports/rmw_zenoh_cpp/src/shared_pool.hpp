// Zenoh's shared memory, for the messages of one publisher.
#pragma once

#include <atomic>
#include <deque>
#include <memory>
#include <mutex>
#include <string>

#include "session.hpp"

namespace rmw_zenoh {

/// Is made when it is needed, and made anew when messages have outgrown it. Thread-safe.
class SharedPool {
 public:
  /// From this size on a message is worth it: below, sending its bytes is quicker.
  static constexpr std::size_t kLeastMessage = 8192;

  explicit SharedPool(std::string topic) : topic_(std::move(topic)) {}
  ~SharedPool() { zn_pool_free(raw_); }
  SharedPool(const SharedPool &) = delete;
  SharedPool & operator=(const SharedPool &) = delete;

  /// Null when it is used up or cannot be had.
  std::unique_ptr<SentChunk> allocate(std::size_t size);
  /// Keeps what was sent: Zenoh's watchdog takes a message that nobody holds for 100 ms for lost, even when it is still on
  /// its way.
  void keep(std::unique_ptr<Chunk> sent);

 private:
  bool grow_locked(std::size_t size);

  const std::string topic_;
  std::atomic<bool> is_usable_{true};
  std::mutex mutex_;
  ZnPool * raw_ = nullptr;                     ///< guarded by mutex_
  std::size_t designed_ = 0;                   ///< for messages of this size; guarded by mutex_
  std::deque<std::unique_ptr<Chunk>> recent_;  ///< guarded by mutex_
};

}  // namespace rmw_zenoh
