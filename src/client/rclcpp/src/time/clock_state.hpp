// What a clock shows, who is told of its jumps, and who sleeps by it.
//
// Simulated time changes under jump_mutex_, in three steps: the callbacks before the jump, the new time, the callbacks
// behind it. The mutex is recursive because callbacks may add and remove handlers. Reading the time takes no lock.
#pragma once

#include <atomic>
#include <chrono>
#include <condition_variable>
#include <cstdint>
#include <limits>
#include <memory>
#include <mutex>
#include <vector>

#include "rclcpp/clock.hpp"

namespace rclcpp::detail {

/// Thread-safe. Times are in nanoseconds.
class ClockState : public std::enable_shared_from_this<ClockState> {
 public:
  explicit ClockState(rcl_clock_type_t type) : handle_{type, this} {}

  std::int64_t now() const;
  bool is_simulated() const { return simulated_.load(std::memory_order_acquire) != kNotSimulated; }

  // Of a clock of ROS time.
  void enable();
  void disable();
  void set(std::int64_t time);

  void add(std::shared_ptr<JumpHandler> handler);
  /// Once this returns, none of its callbacks runs, unless one of them called this.
  void remove(const JumpHandler & handler);

  /// \return whether the time has come: not after shutdown, cancel_sleep() and a switch of simulated time.
  bool sleep_until(std::int64_t until, const Context::SharedPtr & context);
  /// Until the time is not 0, for at most `timeout`. \return whether it is not.
  bool wait_until_started(std::chrono::nanoseconds timeout, const Context::SharedPtr & context);
  void cancel_sleep();

  rcl_clock_t * handle() { return &handle_; }
  std::mutex & mutex() { return clock_mutex_; }

 private:
  static constexpr std::int64_t kNotSimulated = std::numeric_limits<std::int64_t>::min();
  class WokenByShutdown;

  void change(std::int64_t to, const rcl_time_jump_t & jump);
  void tell(const rcl_time_jump_t & jump, bool is_before) const;
  void wake();

  rcl_clock_t handle_;
  std::mutex clock_mutex_;  // Clock::get_clock_mutex()
  std::recursive_mutex jump_mutex_;
  std::int64_t time_ = 0;                               // what simulated time is or will begin with
  std::vector<std::shared_ptr<JumpHandler>> handlers_;  // under jump_mutex_, as time_
  std::atomic<std::int64_t> simulated_{kNotSimulated};  // written under both mutexes

  std::mutex sleep_mutex_;  // taken after jump_mutex_
  std::condition_variable sleepers_;
  bool cancelled_ = false;
  std::uint64_t switches_ = 0;  // of simulated time, on and off
};

}  // namespace rclcpp::detail
