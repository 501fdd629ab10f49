// The clocks of ROS: system, steady, and ROS time (which is system time until simulated time is in use).
#ifndef RCLCPP__CLOCK_HPP_
#define RCLCPP__CLOCK_HPP_

#include <memory>

#include "rclcpp/contexts/default_context.hpp"
#include "rclcpp/macros.hpp"
#include "rclcpp/time.hpp"
#include "rclcpp/visibility_control.hpp"

namespace rclcpp {

/// Thread-safe.
class RCLCPP_PUBLIC Clock {
 public:
  RCLCPP_SMART_PTR_DEFINITIONS(Clock)

  explicit Clock(rcl_clock_type_t clock_type = RCL_SYSTEM_TIME);

  Time now() const;

  /// \return false when the context was shut down first.
  /// \throws std::runtime_error when `until` is of another clock, and for a context that is null or not valid.
  bool sleep_until(Time until, Context::SharedPtr context = contexts::get_global_default_context());
  bool sleep_for(Duration duration, Context::SharedPtr context = contexts::get_global_default_context());

  bool started() const { return now().nanoseconds() != 0; }
  bool ros_time_is_active() const { return false; }
  rcl_clock_type_t get_clock_type() const noexcept { return clock_type_; }

 private:
  rcl_clock_type_t clock_type_;
};

}  // namespace rclcpp

#endif  // RCLCPP__CLOCK_HPP_
