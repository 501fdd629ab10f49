// A point in time of one of ROS's clocks, in nanoseconds.
#ifndef RCLCPP__TIME_HPP_
#define RCLCPP__TIME_HPP_

#include <cstdint>

#include "builtin_interfaces/msg/time.hpp"
#include "rcl/time.h"
#include "rclcpp/duration.hpp"
#include "rclcpp/visibility_control.hpp"

namespace rclcpp {

/// Times of different clocks do not mix: comparing or subtracting them throws std::runtime_error. Arithmetic that
/// leaves the range of int64 nanoseconds throws std::overflow_error or std::underflow_error.
class RCLCPP_PUBLIC Time {
 public:
  /// \throws std::runtime_error for negative seconds.
  Time(int32_t seconds, uint32_t nanoseconds, rcl_clock_type_t clock_type = RCL_SYSTEM_TIME);
  explicit Time(int64_t nanoseconds = 0, rcl_clock_type_t clock_type = RCL_SYSTEM_TIME)
      : value_(nanoseconds), clock_type_(clock_type) {}
  explicit Time(const rcl_time_point_t & time_point) : Time(time_point.nanoseconds, time_point.clock_type) {}
  /// \throws std::runtime_error for negative seconds.
  Time(const builtin_interfaces::msg::Time & message, rcl_clock_type_t clock_type = RCL_ROS_TIME);  // NOLINT: implicit

  operator builtin_interfaces::msg::Time() const;  // NOLINT: implicit, as in rclcpp
  Time & operator=(const builtin_interfaces::msg::Time & message);

  bool operator==(const Time & rhs) const { return check(rhs), value_ == rhs.value_; }
  bool operator!=(const Time & rhs) const { return check(rhs), value_ != rhs.value_; }
  bool operator<(const Time & rhs) const { return check(rhs), value_ < rhs.value_; }
  bool operator<=(const Time & rhs) const { return check(rhs), value_ <= rhs.value_; }
  bool operator>(const Time & rhs) const { return check(rhs), value_ > rhs.value_; }
  bool operator>=(const Time & rhs) const { return check(rhs), value_ >= rhs.value_; }

  Time operator+(const Duration & rhs) const;
  Time operator-(const Duration & rhs) const;
  Duration operator-(const Time & rhs) const;
  Time & operator+=(const Duration & rhs) { return *this = *this + rhs; }
  Time & operator-=(const Duration & rhs) { return *this = *this - rhs; }

  rcl_time_point_value_t nanoseconds() const { return value_; }
  double seconds() const { return static_cast<double>(value_) / 1e9; }
  rcl_clock_type_t get_clock_type() const { return clock_type_; }

  /// The latest that a message can hold.
  static Time max(rcl_clock_type_t clock_type = RCL_SYSTEM_TIME) { return Time(INT32_MAX, 999999999, clock_type); }

 private:
  void check(const Time & other) const {
    if (clock_type_ != other.clock_type_) throw_different_clocks("can't compare times with different time sources");
  }
  [[noreturn]] static void throw_different_clocks(const char * what);

  rcl_time_point_value_t value_;
  rcl_clock_type_t clock_type_;
};

RCLCPP_PUBLIC Time operator+(const Duration & lhs, const Time & rhs);

// Of times in messages. \throws std::runtime_error for a negative time, std::overflow_error, std::underflow_error.
RCLCPP_PUBLIC builtin_interfaces::msg::Time operator+(const builtin_interfaces::msg::Time & lhs, const Duration & rhs);
RCLCPP_PUBLIC builtin_interfaces::msg::Time operator-(const builtin_interfaces::msg::Time & lhs, const Duration & rhs);

}  // namespace rclcpp

#endif  // RCLCPP__TIME_HPP_
