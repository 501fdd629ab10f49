// A mutex that waiting threads get in turn.
#pragma once

#include <mutex>

namespace tandem::gateway {

/// For std::lock_guard. A thread that gives the mutex up and wants it again gets it after whoever has waited meanwhile. With
/// std::mutex a thread that works without a pause may keep others waiting for long.
class FairMutex {
 public:
  void lock() {
    const std::lock_guard turn(turn_);  // whoever waits for mutex_ has it
    mutex_.lock();
  }
  void unlock() { mutex_.unlock(); }

 private:
  std::mutex turn_;
  std::mutex mutex_;
};

}  // namespace tandem::gateway
