// Clocks and rates.
#include "rclcpp/clock.hpp"

#include <algorithm>
#include <ctime>
#include <stdexcept>

#include "rclcpp/contexts/default_context.hpp"
#include "rclcpp/rate.hpp"

namespace rclcpp {

Clock::Clock(rcl_clock_type_t clock_type) : clock_type_(clock_type) {
  if (clock_type < RCL_ROS_TIME || clock_type > RCL_STEADY_TIME) {
    throw std::invalid_argument("a clock is of RCL_ROS_TIME, RCL_SYSTEM_TIME or RCL_STEADY_TIME");
  }
}

Time Clock::now() const {
  timespec time{};
  clock_gettime(clock_type_ == RCL_STEADY_TIME ? CLOCK_MONOTONIC : CLOCK_REALTIME, &time);
  return Time(time.tv_sec * INT64_C(1000000000) + time.tv_nsec, clock_type_);
}

bool Clock::sleep_until(Time until, Context::SharedPtr context) {
  if (!context || !context->is_valid()) {
    throw std::runtime_error("context cannot be slept with because it's invalid");
  }
  if (until.get_clock_type() != clock_type_)
    throw std::runtime_error("until's clock type does not match this clock's type");
  // A system clock may be set while we sleep: look at it again at least every second.
  for (Time current = now(); current < until; current = now()) {
    auto rest = (until - current).to_chrono<std::chrono::nanoseconds>();
    if (clock_type_ != RCL_STEADY_TIME) rest = std::min<std::chrono::nanoseconds>(rest, std::chrono::seconds(1));
    if (!context->sleep_for(rest)) return false;
  }
  return true;
}

bool Clock::sleep_for(Duration duration, Context::SharedPtr context) {
  return sleep_until(now() + duration, std::move(context));
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

bool Rate::sleep() {
  const Time now = clock_->now();
  if (now < last_interval_) last_interval_ = now;  // the clock was set back
  const Time next = last_interval_ + period_;
  last_interval_ = next;
  if (next <= now) {
    if (now > next + period_) last_interval_ = now;  // more than a period late: begin anew
    return false;
  }
  return contexts::get_global_default_context()->sleep_for((next - now).to_chrono<std::chrono::nanoseconds>());
}

}  // namespace rclcpp
