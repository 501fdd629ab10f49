// Callbacks that an executor calls periodically.
#ifndef RCLCPP__TIMER_HPP_
#define RCLCPP__TIMER_HPP_

#include <atomic>
#include <chrono>
#include <functional>
#include <memory>
#include <mutex>
#include <type_traits>
#include <utility>

#include "rclcpp/clock.hpp"
#include "rclcpp/context.hpp"
#include "rclcpp/detail/counted_callback.hpp"
#include "rclcpp/logging.hpp"
#include "rclcpp/macros.hpp"
#include "rclcpp/utilities.hpp"
#include "rclcpp/visibility_control.hpp"

namespace rclcpp {

class CallbackGroup;

/// When a timer was due, and when it was called.
struct TimerInfo {
  Time expected_call_time;
  Time actual_call_time;
};

class TimerBase;

namespace detail {

struct TimerCallback {
  std::function<void(TimerBase &, const TimerInfo &)> function;
  bool takes_info = false;  ///< else the info is not filled in
};

}  // namespace detail

/// Missed periods are skipped, not made up for. On a clock of ROS time it follows simulated time: it is called at most once
/// for each message on /clock; when the time jumps back to before the last call, a period begins then; when simulated time
/// is switched on or off, the rest of the period stays the same. Thread-safe.
class RCLCPP_PUBLIC TimerBase : public std::enable_shared_from_this<TimerBase> {
 public:
  RCLCPP_SMART_PTR_ALIASES_ONLY(TimerBase)
  RCLCPP_DISABLE_COPY(TimerBase)

  /// \throws std::invalid_argument for a negative period or no clock.
  TimerBase(Clock::SharedPtr clock, std::chrono::nanoseconds period, detail::TimerCallback callback,
            bool autostart = true);
  virtual ~TimerBase();

  void cancel();
  bool is_canceled() const { return canceled_.load(); }
  /// Begins a new period now; starts a cancelled timer again.
  void reset();
  bool is_ready() const { return time_until_trigger() <= std::chrono::nanoseconds::zero(); }
  /// Negative when overdue; nanoseconds::max() when cancelled.
  std::chrono::nanoseconds time_until_trigger() const;
  bool is_steady() const { return clock_->get_clock_type() == RCL_STEADY_TIME; }
  Clock::SharedPtr get_clock() const { return clock_; }

  /// Begins the next period. \return null when cancelled: then the callback is not to be executed.
  std::shared_ptr<void> call();
  /// With what call() returned.
  void execute_callback(const std::shared_ptr<void> & data = nullptr);

  /// Called by who resets it, with 1, and at once with the number of resets without a callback before; what it throws is
  /// logged. \throws std::invalid_argument for null.
  void set_on_reset_callback(std::function<void(size_t)> callback);
  void clear_on_reset_callback();

  // For the library's own use.
  std::chrono::nanoseconds period() const { return std::chrono::nanoseconds(period_); }
  /// How long to wait before looking at it again, of the steady clock. nanoseconds::max() when it is cancelled, and when
  /// simulated time has to pass first: then its group is told when it is due.
  std::chrono::nanoseconds time_to_wait() const;
  void set_group(const std::shared_ptr<CallbackGroup> & group);

 private:
  void notify();
  JumpHandler::SharedPtr follow_jumps();
  void before_jump();
  void after_jump(const rcl_time_jump_t & jump);

  const Clock::SharedPtr clock_;
  const std::int64_t period_;  // ns
  const detail::TimerCallback callback_;
  std::atomic<bool> canceled_;
  std::atomic<std::int64_t> last_call_;  // ns of clock_, as next_call_; at first when it was made
  std::atomic<std::int64_t> next_call_;
  std::int64_t before_jump_ = 0;  // the time before a jump; of the callbacks of jumps_ alone
  detail::CountedCallback on_reset_;
  std::mutex group_mutex_;
  std::weak_ptr<CallbackGroup> group_;
  const JumpHandler::SharedPtr jumps_;  // null unless the clock is of ROS time; last, since its callbacks use the rest
};

namespace detail {

template <class FunctorT>
TimerCallback timer_callback(FunctorT && callback) {
  using F = std::decay_t<FunctorT>;
  F f(std::forward<FunctorT>(callback));
  if constexpr (std::is_invocable_v<F &>) {
    return {[f = std::move(f)](TimerBase &, const TimerInfo &) mutable { f(); }};
  } else if constexpr (std::is_invocable_v<F &, TimerBase &>) {
    return {[f = std::move(f)](TimerBase & timer, const TimerInfo &) mutable { f(timer); }};
  } else {
    return {[f = std::move(f)](TimerBase &, const TimerInfo & info) mutable { f(info); }, true};
  }
}

}  // namespace detail

using VoidCallbackType = std::function<void()>;
using TimerCallbackType = std::function<void(TimerBase &)>;
using TimerInfoCallbackType = std::function<void(const TimerInfo &)>;

/// A callback is `void()`, `void(TimerBase &)` or `void(const TimerInfo &)`.
template <class FunctorT>
class GenericTimer : public TimerBase {
 public:
  RCLCPP_SMART_PTR_DEFINITIONS(GenericTimer)
  GenericTimer(Clock::SharedPtr clock, std::chrono::nanoseconds period, FunctorT && callback,
               Context::SharedPtr = nullptr, bool autostart = true)
      : TimerBase(std::move(clock), period, detail::timer_callback(std::forward<FunctorT>(callback)), autostart) {}
};

template <class FunctorT>
class WallTimer : public GenericTimer<FunctorT> {
 public:
  RCLCPP_SMART_PTR_DEFINITIONS(WallTimer)
  WallTimer(std::chrono::nanoseconds period, FunctorT && callback, Context::SharedPtr context = nullptr,
            bool autostart = true)
      : GenericTimer<FunctorT>(std::make_shared<Clock>(RCL_STEADY_TIME), period, std::forward<FunctorT>(callback),
                               std::move(context), autostart) {}
};

}  // namespace rclcpp

#endif  // RCLCPP__TIMER_HPP_
