// Simulated time, jumps and sleeps of a clock.
#include "time/clock_state.hpp"

#include <algorithm>
#include <ctime>
#include <utility>

#include "rclcpp/logging.hpp"

namespace rclcpp::detail {
namespace {

/// Longer than this is "for ever", and would overflow the clock.
constexpr std::chrono::nanoseconds kForEver = std::chrono::hours(24 * 365);

bool is_switch(const rcl_time_jump_t & jump) {
  return jump.clock_change == RCL_ROS_TIME_ACTIVATED || jump.clock_change == RCL_ROS_TIME_DEACTIVATED;
}

bool concerns(const rcl_jump_threshold_t & threshold, const rcl_time_jump_t & jump) {
  const auto forward = threshold.min_forward.nanoseconds;
  const auto backward = threshold.min_backward.nanoseconds;
  return (is_switch(jump) && threshold.on_clock_change) || (forward > 0 && jump.delta.nanoseconds >= forward) ||
         (backward < 0 && jump.delta.nanoseconds <= backward);
}

}  // namespace

std::int64_t ClockState::now() const {
  const std::int64_t simulated = simulated_.load(std::memory_order_acquire);
  if (simulated != kNotSimulated) return simulated;
  timespec time{};
  clock_gettime(handle_.type == RCL_STEADY_TIME ? CLOCK_MONOTONIC : CLOCK_REALTIME, &time);
  return time.tv_sec * INT64_C(1000000000) + time.tv_nsec;
}

// ---- simulated time ------------------------------------------------------------------------------------------------

void ClockState::enable() {
  const std::lock_guard<std::recursive_mutex> lock(jump_mutex_);
  if (!is_simulated()) change(time_, {RCL_ROS_TIME_ACTIVATED, {0}});
}

void ClockState::disable() {
  const std::lock_guard<std::recursive_mutex> lock(jump_mutex_);
  if (is_simulated()) change(kNotSimulated, {RCL_ROS_TIME_DEACTIVATED, {0}});
}

void ClockState::set(std::int64_t time) {
  const std::lock_guard<std::recursive_mutex> lock(jump_mutex_);
  const std::int64_t former = std::exchange(time_, time);
  if (is_simulated() && time != former) change(time, {RCL_ROS_TIME_NO_CHANGE, {time - former}});
}

void ClockState::change(std::int64_t to, const rcl_time_jump_t & jump) {
  tell(jump, true);
  {
    const std::lock_guard<std::mutex> lock(sleep_mutex_);
    simulated_.store(to, std::memory_order_release);
    if (is_switch(jump)) ++switches_;
  }
  sleepers_.notify_all();
  tell(jump, false);
}

void ClockState::tell(const rcl_time_jump_t & jump, bool is_before) const {
  const auto handlers = handlers_;  // they may add and remove some
  for (const auto & handler : handlers) {
    if (!concerns(handler->notice_threshold, jump)) continue;
    try {
      if (is_before && handler->pre_callback) handler->pre_callback();
      if (!is_before && handler->post_callback) handler->post_callback(jump);
    } catch (const std::exception & error) {
      RCLCPP_ERROR(get_logger("rclcpp"), "a callback of time jumps failed: %s", error.what());
    }
  }
}

void ClockState::add(std::shared_ptr<JumpHandler> handler) {
  const std::lock_guard<std::recursive_mutex> lock(jump_mutex_);
  handlers_.push_back(std::move(handler));
}

void ClockState::remove(const JumpHandler & handler) {
  const std::lock_guard<std::recursive_mutex> lock(jump_mutex_);
  const auto found = std::find_if(handlers_.begin(), handlers_.end(),
                                  [&](const auto & candidate) { return candidate.get() == &handler; });
  if (found == handlers_.end()) return;
  (*found)->notice_threshold = {};  // of no jump: tell() may be at work in this thread
  handlers_.erase(found);
}

// ---- sleeping ------------------------------------------------------------------------------------------------------

/// Shutdown of the context wakes the sleepers for as long as this lives.
class ClockState::WokenByShutdown {
 public:
  WokenByShutdown(ClockState & state, const Context::SharedPtr & context)
      : context_(context), handle_(context->add_on_shutdown_callback([weak = state.weak_from_this()] {
          if (const auto living = weak.lock()) living->wake();
        })) {}
  ~WokenByShutdown() { context_->remove_on_shutdown_callback(handle_); }
  RCLCPP_DISABLE_COPY(WokenByShutdown)

 private:
  const Context::SharedPtr context_;
  const OnShutdownCallbackHandle handle_;
};

void ClockState::wake() {
  { const std::lock_guard<std::mutex> lock(sleep_mutex_); }
  sleepers_.notify_all();
}

bool ClockState::sleep_until(std::int64_t until, const Context::SharedPtr & context) {
  const WokenByShutdown woken(*this, context);
  std::unique_lock<std::mutex> lock(sleep_mutex_);
  const std::uint64_t switches = switches_;
  const std::chrono::nanoseconds end(until);
  while (now() < until && !cancelled_ && switches_ == switches && context->is_valid()) {
    if (is_simulated()) {
      sleepers_.wait(lock);
    } else if (handle_.type == RCL_STEADY_TIME) {
      sleepers_.wait_until(lock, std::chrono::steady_clock::time_point(end));
    } else {
      sleepers_.wait_until(lock, std::chrono::system_clock::time_point(end));  // notices when that clock is set
    }
  }
  cancelled_ = false;
  return now() >= until && switches_ == switches && context->is_valid();
}

bool ClockState::wait_until_started(std::chrono::nanoseconds timeout, const Context::SharedPtr & context) {
  const auto end = std::chrono::steady_clock::now() + std::min(timeout, kForEver);
  const WokenByShutdown woken(*this, context);
  std::unique_lock<std::mutex> lock(sleep_mutex_);
  sleepers_.wait_until(lock, end, [&] { return now() != 0 || cancelled_ || !context->is_valid(); });
  cancelled_ = false;
  return now() != 0;
}

void ClockState::cancel_sleep() {
  {
    const std::lock_guard<std::mutex> lock(sleep_mutex_);
    cancelled_ = true;
  }
  sleepers_.notify_all();
}

}  // namespace rclcpp::detail

// ---- rcl/time.h ----------------------------------------------------------------------------------------------------

namespace {

using rclcpp::detail::ClockState;

/// Calls `function(state)` of a clock of ROS time.
template <class Function>
rcl_ret_t with_ros_time(const rcl_clock_t * clock, Function && function) {
  if (clock == nullptr || clock->data == nullptr) return RCL_RET_INVALID_ARGUMENT;
  if (clock->type != RCL_ROS_TIME) return RCL_RET_ERROR;
  function(*static_cast<ClockState *>(clock->data));
  return RCL_RET_OK;
}

}  // namespace

rcl_ret_t rcl_enable_ros_time_override(rcl_clock_t * clock) {
  return with_ros_time(clock, [](ClockState & state) { state.enable(); });
}

rcl_ret_t rcl_disable_ros_time_override(rcl_clock_t * clock) {
  return with_ros_time(clock, [](ClockState & state) { state.disable(); });
}

rcl_ret_t rcl_is_enabled_ros_time_override(rcl_clock_t * clock, bool * is_enabled) {
  if (is_enabled == nullptr) return RCL_RET_INVALID_ARGUMENT;
  return with_ros_time(clock, [is_enabled](const ClockState & state) { *is_enabled = state.is_simulated(); });
}

rcl_ret_t rcl_set_ros_time_override(rcl_clock_t * clock, rcl_time_point_value_t time_value) {
  if (time_value < 0) return RCL_RET_INVALID_ARGUMENT;
  return with_ros_time(clock, [time_value](ClockState & state) { state.set(time_value); });
}

rcl_ret_t rcl_clock_get_now(rcl_clock_t * clock, rcl_time_point_value_t * time_point_value) {
  if (clock == nullptr || clock->data == nullptr || time_point_value == nullptr) return RCL_RET_INVALID_ARGUMENT;
  *time_point_value = static_cast<const ClockState *>(clock->data)->now();
  return RCL_RET_OK;
}
