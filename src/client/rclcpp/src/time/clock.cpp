// Clocks and rates.
#include "rclcpp/clock.hpp"

#include <stdexcept>
#include <utility>

#include "rclcpp/exceptions.hpp"
#include "rclcpp/rate.hpp"
#include "time/clock_state.hpp"

namespace rclcpp {
namespace {

void require_valid(const Context::SharedPtr & context) {
  if (!context || !context->is_valid()) {
    throw std::runtime_error("context cannot be slept with because it's invalid");
  }
}

}  // namespace

JumpHandler::JumpHandler(pre_callback_t pre_callback_in, post_callback_t post_callback_in,
                         const rcl_jump_threshold_t & threshold)
    : pre_callback(std::move(pre_callback_in)),
      post_callback(std::move(post_callback_in)),
      notice_threshold(threshold) {}

Clock::Clock(rcl_clock_type_t clock_type)
    : clock_type_(clock_type), state_(std::make_shared<detail::ClockState>(clock_type)) {
  if (clock_type < RCL_ROS_TIME || clock_type > RCL_STEADY_TIME) {
    throw std::invalid_argument("a clock is of RCL_ROS_TIME, RCL_SYSTEM_TIME or RCL_STEADY_TIME");
  }
}

Time Clock::now() const { return Time(state_->now(), clock_type_); }

bool Clock::sleep_until(Time until, Context::SharedPtr context) {
  require_valid(context);
  if (until.get_clock_type() != clock_type_)
    throw std::runtime_error("until's clock type does not match this clock's type");
  return try_sleep_until(until, context);
}

bool Clock::sleep_for(Duration duration, Context::SharedPtr context) {
  return sleep_until(now() + duration, std::move(context));
}

bool Clock::try_sleep_until(const Time & until, const Context::SharedPtr & context) {
  return state_->sleep_until(until.nanoseconds(), context);
}

bool Clock::wait_until_started(Context::SharedPtr context) {
  require_valid(context);
  return started() || state_->sleep_until(1, context);
}

bool Clock::wait_until_started(const Duration & timeout, Context::SharedPtr context, const Duration &) {
  require_valid(context);
  return state_->wait_until_started(timeout.to_chrono<std::chrono::nanoseconds>(), context);
}

void Clock::cancel_sleep_or_wait() { state_->cancel_sleep(); }
bool Clock::ros_time_is_active() const { return state_->is_simulated(); }
rcl_clock_t * Clock::get_clock_handle() noexcept { return state_->handle(); }
std::mutex & Clock::get_clock_mutex() noexcept { return state_->mutex(); }

JumpHandler::SharedPtr Clock::create_jump_callback(JumpHandler::pre_callback_t pre_callback,
                                                   JumpHandler::post_callback_t post_callback,
                                                   const rcl_jump_threshold_t & threshold) {
  if (threshold.min_forward.nanoseconds < 0) {
    throw exceptions::RCLInvalidArgument("forward jump threshold must be positive or zero");
  }
  if (threshold.min_backward.nanoseconds > 0) {
    throw exceptions::RCLInvalidArgument("backward jump threshold must be negative or zero");
  }
  auto handler = JumpHandler::make_shared(std::move(pre_callback), std::move(post_callback), threshold);
  state_->add(handler);
  const auto remove = [weak = std::weak_ptr<detail::ClockState>(state_), handler](JumpHandler *) {
    if (const auto state = weak.lock()) state->remove(*handler);
  };
  return {handler.get(), remove};
}

namespace {
Duration period_of(double rate) {
  if (!(rate > 0.0)) throw std::invalid_argument("rate must be greater than 0");
  return Duration::from_seconds(1.0 / rate);
}
}  // namespace

Rate::Rate(double rate, Clock::SharedPtr clock) : Rate(period_of(rate), std::move(clock)) {}

Rate::Rate(const Duration & period, Clock::SharedPtr clock) : clock_(std::move(clock)), period_(period) {
  if (period_ <= Duration()) throw std::invalid_argument("period must be greater than 0");
  last_interval_ = clock_->now();
}

Clock::SharedPtr Rate::system_clock() { return std::make_shared<Clock>(RCL_SYSTEM_TIME); }

WallRate::WallRate(double rate) : Rate(rate, std::make_shared<Clock>(RCL_STEADY_TIME)) {}
WallRate::WallRate(const Duration & period) : Rate(period, std::make_shared<Clock>(RCL_STEADY_TIME)) {}
ROSRate::ROSRate(double rate) : Rate(rate, std::make_shared<Clock>(RCL_ROS_TIME)) {}
ROSRate::ROSRate(const Duration & period) : Rate(period, std::make_shared<Clock>(RCL_ROS_TIME)) {}

bool Rate::sleep() {
  const Time now = clock_->now();
  if (now < last_interval_) last_interval_ = now;  // the clock was set back
  const Time next = last_interval_ + period_;
  last_interval_ = next;
  if (next <= now) {
    if (now > next + period_) last_interval_ = now;  // more than a period late: begin anew
    return false;
  }
  return clock_->try_sleep_until(next, contexts::get_global_default_context());
}

}  // namespace rclcpp
