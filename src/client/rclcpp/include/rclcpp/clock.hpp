// The clocks of ROS: system, steady, and ROS time, which is the system's time until simulated time is in use.
#ifndef RCLCPP__CLOCK_HPP_
#define RCLCPP__CLOCK_HPP_

#include <functional>
#include <memory>
#include <mutex>

#include "rclcpp/contexts/default_context.hpp"
#include "rclcpp/macros.hpp"
#include "rclcpp/time.hpp"
#include "rclcpp/visibility_control.hpp"

namespace rclcpp {

namespace detail {
class ClockState;
}

/// Who is told of a clock's jumps. See Clock::create_jump_callback().
class RCLCPP_PUBLIC JumpHandler {
 public:
  RCLCPP_SMART_PTR_DEFINITIONS(JumpHandler)
  using pre_callback_t = std::function<void()>;
  using post_callback_t = std::function<void(const rcl_time_jump_t &)>;

  JumpHandler(pre_callback_t pre_callback_in, post_callback_t post_callback_in, const rcl_jump_threshold_t & threshold);

  pre_callback_t pre_callback;
  post_callback_t post_callback;
  rcl_jump_threshold_t notice_threshold;
};

/// Thread-safe.
class RCLCPP_PUBLIC Clock {
 public:
  RCLCPP_SMART_PTR_DEFINITIONS(Clock)

  explicit Clock(rcl_clock_type_t clock_type = RCL_SYSTEM_TIME);

  /// Simulated time is 0 until the first message on /clock. Locks, allocates: nothing.
  Time now() const;

  /// Sleeps until the clock shows `until`, in simulated time too. When that jumps back, the sleep lasts longer.
  /// \return false when the context was shut down, cancel_sleep_or_wait() was called, or simulated time was switched on
  /// or off before.
  /// \throws std::runtime_error when `until` is of another clock, and for a context that is null or not valid.
  bool sleep_until(Time until, Context::SharedPtr context = contexts::get_global_default_context());
  bool sleep_for(Duration duration, Context::SharedPtr context = contexts::get_global_default_context());

  /// Whether the clock shows another time than 0.
  bool started() const { return now().nanoseconds() != 0; }
  /// Sleeps until started(). Returns and throws as sleep_until() does.
  bool wait_until_started(Context::SharedPtr context = contexts::get_global_default_context());
  /// The same for at most `timeout` of the steady clock. The third parameter has no effect: nothing is polled.
  /// \return started().
  bool wait_until_started(const Duration & timeout, Context::SharedPtr context = contexts::get_global_default_context(),
                          const Duration & wait_tick = Duration(0, 10000000));
  /// Ends the present or the next sleep or wait of one thread.
  void cancel_sleep_or_wait();

  /// Whether the time is simulated. False for clocks of another type than RCL_ROS_TIME.
  bool ros_time_is_active() const;
  rcl_clock_type_t get_clock_type() const noexcept { return clock_type_; }

  /// Calls back before and after each jump of simulated time that the threshold names, as long as the pointer is kept;
  /// once that is gone, no callback runs. Either callback may be empty. They run in the thread that changes the time, which
  /// goes on behind them. What they throw is logged.
  /// \throws exceptions::RCLInvalidArgument for a negative min_forward or a positive min_backward.
  JumpHandler::SharedPtr create_jump_callback(JumpHandler::pre_callback_t pre_callback,
                                              JumpHandler::post_callback_t post_callback,
                                              const rcl_jump_threshold_t & threshold);

  /// For the functions of rcl/time.h.
  rcl_clock_t * get_clock_handle() noexcept;
  /// For programs that hold it around these functions. The library does not lock it: they are thread-safe.
  std::mutex & get_clock_mutex() noexcept;

 private:
  friend class Rate;
  /// \return false also when the context is not valid.
  bool try_sleep_until(const Time & until, const Context::SharedPtr & context);

  rcl_clock_type_t clock_type_;
  std::shared_ptr<detail::ClockState> state_;
};

}  // namespace rclcpp

#endif  // RCLCPP__CLOCK_HPP_
