// A signed length of time in nanoseconds.
#ifndef RCLCPP__DURATION_HPP_
#define RCLCPP__DURATION_HPP_

#include <chrono>
#include <cstdint>

#include "builtin_interfaces/msg/duration.hpp"
#include "rcl/time.h"
#include "rclcpp/visibility_control.hpp"
#include "rmw/types.h"

namespace rclcpp {

/// Arithmetic that leaves the range of int64 nanoseconds throws std::overflow_error or std::underflow_error.
class RCLCPP_PUBLIC Duration {
 public:
  Duration() = default;
  /// `seconds` may be negative; `nanoseconds` are added.
  Duration(int32_t seconds, uint32_t nanoseconds) : value_(seconds * INT64_C(1000000000) + nanoseconds) {}
  Duration(std::chrono::nanoseconds nanoseconds) : value_(nanoseconds.count()) {}  // NOLINT: implicit, as in rclcpp
  template <class Rep, class Period>
  Duration(const std::chrono::duration<Rep, Period> & duration)  // NOLINT: implicit, as in rclcpp
      : value_(std::chrono::duration_cast<std::chrono::nanoseconds>(duration).count()) {}
  explicit Duration(const rcl_duration_t & duration) : value_(duration.nanoseconds) {}
  Duration(const builtin_interfaces::msg::Duration & message);  // NOLINT: implicit, as in rclcpp

  /// What a message cannot hold becomes the nearest that it can, beyond max() with nanosec UINT32_MAX.
  operator builtin_interfaces::msg::Duration() const;  // NOLINT: implicit, as in rclcpp

  bool operator==(const Duration & rhs) const { return value_ == rhs.value_; }
  bool operator!=(const Duration & rhs) const { return value_ != rhs.value_; }
  bool operator<(const Duration & rhs) const { return value_ < rhs.value_; }
  bool operator<=(const Duration & rhs) const { return value_ <= rhs.value_; }
  bool operator>(const Duration & rhs) const { return value_ > rhs.value_; }
  bool operator>=(const Duration & rhs) const { return value_ >= rhs.value_; }

  Duration operator+(const Duration & rhs) const;
  Duration operator-(const Duration & rhs) const;
  Duration & operator+=(const Duration & rhs) { return *this = *this + rhs; }
  Duration & operator-=(const Duration & rhs) { return *this = *this - rhs; }
  /// \throws std::runtime_error for a scale that is not finite.
  Duration operator*(double scale) const;
  Duration & operator*=(double scale) { return *this = *this * scale; }

  rcl_duration_value_t nanoseconds() const { return value_; }
  double seconds() const { return static_cast<double>(value_) / 1e9; }

  template <class DurationT>
  DurationT to_chrono() const {
    return std::chrono::duration_cast<DurationT>(std::chrono::nanoseconds(value_));
  }
  /// \throws std::runtime_error for a negative duration.
  rmw_time_t to_rmw_time() const;

  /// The longest that a message can hold, of INT32_MAX seconds.
  static Duration max() { return Duration(INT32_MAX, 999999999); }
  static Duration from_seconds(double seconds);
  static Duration from_nanoseconds(rcl_duration_value_t nanoseconds) {
    return Duration(std::chrono::nanoseconds(nanoseconds));
  }
  /// At most INT64_MAX nanoseconds.
  static Duration from_rmw_time(rmw_time_t duration);

 private:
  rcl_duration_value_t value_ = 0;
};

}  // namespace rclcpp

#endif  // RCLCPP__DURATION_HPP_
