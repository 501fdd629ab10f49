// Calls timers in the order in which they are due.
#ifndef RCLCPP__EXPERIMENTAL__TIMERS_MANAGER_HPP_
#define RCLCPP__EXPERIMENTAL__TIMERS_MANAGER_HPP_

#include <chrono>
#include <condition_variable>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <thread>
#include <vector>

#include "rclcpp/context.hpp"
#include "rclcpp/macros.hpp"
#include "rclcpp/timer.hpp"
#include "rclcpp/visibility_control.hpp"

namespace rclcpp {
namespace experimental {

/// In a thread of its own, between start() and stop(), or by execute_head_timer(). Holds timers weakly; sets their callbacks for
/// resets. Thread-safe.
class RCLCPP_PUBLIC TimersManager {
 public:
  RCLCPP_SMART_PTR_DEFINITIONS_NOT_COPYABLE(TimersManager)
  using OnReady = std::function<void(const TimerBase *, const std::shared_ptr<void> &)>;

  /// \param on_ready_callback  gets a timer that is due and what its call() returned, in the thread; null: the thread calls the
  /// timer's callback
  explicit TimersManager(Context::SharedPtr context, OnReady on_ready_callback = nullptr);
  ~TimersManager();

  /// \throws std::invalid_argument for null.
  void add_timer(TimerBase::SharedPtr timer);
  void remove_timer(TimerBase::SharedPtr timer);
  void clear();

  /// \throws std::runtime_error when the thread runs already.
  void start();
  void stop();

  // \throws std::runtime_error while the thread runs.
  size_t get_number_ready_timers();
  /// Calls the timer that is due for longest. \return false when none is.
  bool execute_head_timer();
  /// Of the steady clock; at most 0 when one is due. nanoseconds::max() without timers, nothing when none will be due.
  std::optional<std::chrono::nanoseconds> get_head_timeout();

  /// Calls the callback of this timer, if it is still here.
  void execute_ready_timer(const TimerBase * timer_id, const std::shared_ptr<void> & data);
  /// For the library's own use: a timer's time has changed.
  void look_again();

 private:
  using Steady = std::chrono::steady_clock;
  static constexpr Steady::time_point kUnknown = Steady::time_point::min();
  static constexpr Steady::time_point kNever = Steady::time_point::max();

  void require_no_thread(const char * caller);
  void run();
  std::vector<TimerBase::SharedPtr> timers();
  TimerBase::SharedPtr take_due(std::shared_ptr<void> & data);

  const Context::SharedPtr context_;
  const OnReady on_ready_;
  std::mutex thread_mutex_;  // held by start() and stop()
  std::thread thread_;
  std::mutex mutex_;  // guards what follows
  std::condition_variable changed_;
  std::vector<std::weak_ptr<TimerBase>> timers_;
  Steady::time_point next_ = kUnknown;  // no timer is due before
  std::uint64_t changes_ = 0;           // calls of look_again()
  bool is_running_ = false;
};

}  // namespace experimental
}  // namespace rclcpp

#endif  // RCLCPP__EXPERIMENTAL__TIMERS_MANAGER_HPP_
