// A mutex that waiting threads get in turn.
#pragma once

#include <atomic>
#include <mutex>

namespace tandem::gateway {

/// For std::lock_guard. A thread that gives the mutex up and wants it again gets it after whoever has waited meanwhile. With
/// std::mutex a thread that works without a pause may keep others waiting for long.
class FairMutex {
 public:
  void lock() {
    waiting_.fetch_add(1, std::memory_order_relaxed);
    const std::lock_guard turn(turn_);  // whoever waits for mutex_ has it
    mutex_.lock();
    waiting_.fetch_sub(1, std::memory_order_relaxed);
  }
  void unlock() { mutex_.unlock(); }
  /// For who has it: whether another thread waits. A hint.
  bool is_wanted() const { return waiting_.load(std::memory_order_relaxed) != 0; }

 private:
  std::atomic<int> waiting_{0};
  std::mutex turn_;
  std::mutex mutex_;
};

}  // namespace tandem::gateway
