// How anybody tells an executor that there is something to look at, from any thread.
#pragma once

#include <atomic>
#include <memory>
#include <mutex>

#include "tandem/transport.hpp"

namespace rclcpp::detail {

class Wakeup {
 public:
  /// Ends the present or the next wait of the executor.
  void wake() {
    const std::lock_guard<std::mutex> lock(mutex_);
    if (wait_set_) wait_set_->wake();
  }
  void entities_changed() {
    entities_changed_.store(true, std::memory_order_release);
    wake();
  }
  void timers_changed() {
    timers_changed_.store(true, std::memory_order_release);
    wake();
  }
  /// There are messages at a receiver that is listened to.
  void data() {
    if (!is_told_) wake();
  }

  /// For an executor with callbacks of its own for new messages: data() does not wake it.
  void set_told() { is_told_ = true; }
  // For the executor: whether it was so since the last call.
  bool take_entities_changed() { return take(entities_changed_); }
  bool take_timers_changed() { return take(timers_changed_); }
  /// Made before the first wait. Who wakes before that leaves a flag only, so the executor reads them afterwards.
  void set_wait_set(std::shared_ptr<tandem::transport::WaitSet> wait_set) {
    const std::lock_guard<std::mutex> lock(mutex_);
    wait_set_ = std::move(wait_set);
  }

 private:
  static bool take(std::atomic<bool> & flag) {
    return flag.load(std::memory_order_relaxed) && flag.exchange(false, std::memory_order_acquire);
  }

  std::atomic<bool> is_told_{false};
  std::atomic<bool> entities_changed_{true};
  std::atomic<bool> timers_changed_{true};
  std::mutex mutex_;
  std::shared_ptr<tandem::transport::WaitSet> wait_set_;
};

}  // namespace rclcpp::detail
