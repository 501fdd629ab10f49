// Arithmetic of time and durations.
#include "rclcpp/time.hpp"

#include <cmath>
#include <limits>
#include <stdexcept>
#include <string>

#include "rclcpp/duration.hpp"
#include "rclcpp/utilities.hpp"

namespace rclcpp {
namespace {

constexpr std::int64_t kNanosecondsPerSecond = 1000000000;

/// \param what of the sentence "... leads to int64_t overflow".
std::int64_t add(std::int64_t a, std::int64_t b, const char * what = "addition") {
  if (add_will_overflow(a, b)) throw std::overflow_error(std::string(what) + " leads to int64_t overflow");
  if (add_will_underflow(a, b)) throw std::underflow_error(std::string(what) + " leads to int64_t underflow");
  return a + b;
}

std::int64_t subtract(std::int64_t a, std::int64_t b, const char * what) {
  if (sub_will_overflow(a, b)) throw std::overflow_error(std::string(what) + " leads to int64_t overflow");
  if (sub_will_underflow(a, b)) throw std::underflow_error(std::string(what) + " leads to int64_t underflow");
  return a - b;
}

std::int64_t join(std::int64_t seconds, std::int64_t nanoseconds) {
  if (seconds < 0) throw std::runtime_error("cannot store a negative time point in rclcpp::Time");
  return seconds * kNanosecondsPerSecond + nanoseconds;
}

struct Parts {
  std::int32_t seconds;
  std::uint32_t nanoseconds;
};

/// Seconds rounded down, saturated at the range of the message. \param beyond the nanoseconds of what is too long for it.
Parts split(std::int64_t value, std::uint32_t beyond) {
  std::int64_t seconds = value / kNanosecondsPerSecond;
  std::int64_t nanoseconds = value % kNanosecondsPerSecond;
  if (nanoseconds < 0) {
    --seconds;
    nanoseconds += kNanosecondsPerSecond;
  }
  using Limits = std::numeric_limits<std::int32_t>;
  if (seconds > Limits::max()) return {Limits::max(), beyond};
  if (seconds < Limits::min()) return {Limits::min(), 0};
  return {static_cast<std::int32_t>(seconds), static_cast<std::uint32_t>(nanoseconds)};
}

}  // namespace

Duration::Duration(const builtin_interfaces::msg::Duration & message) : Duration(message.sec, message.nanosec) {}

Duration::operator builtin_interfaces::msg::Duration() const {
  const Parts parts = split(value_, std::numeric_limits<std::uint32_t>::max());
  builtin_interfaces::msg::Duration message;
  message.sec = parts.seconds;
  message.nanosec = parts.nanoseconds;
  return message;
}

namespace {
/// Of two durations. The least number, of which there is no opposite, counts as out of range, as in ROS 2.
Duration in_range(std::int64_t nanoseconds, const char * what) {
  if (nanoseconds == std::numeric_limits<std::int64_t>::min()) {
    throw std::underflow_error(std::string(what) + " leads to int64_t underflow");
  }
  return Duration::from_nanoseconds(nanoseconds);
}
}  // namespace

Duration Duration::operator+(const Duration & rhs) const { return in_range(add(value_, rhs.value_), "addition"); }
Duration Duration::operator-(const Duration & rhs) const {
  constexpr const char * kWhat = "duration subtraction";
  return in_range(subtract(value_, rhs.value_, kWhat), kWhat);
}

Duration Duration::operator*(double scale) const {
  if (!std::isfinite(scale)) throw std::runtime_error("abnormal scale in rclcpp::Duration");
  const auto product = static_cast<long double>(value_) * static_cast<long double>(scale);
  constexpr long double kEnd = 0x1p63L;  // exact, also where long double has no more digits than double
  if (product >= kEnd) throw std::overflow_error("duration scaling leads to int64_t overflow");
  if (product < -kEnd) throw std::underflow_error("duration scaling leads to int64_t underflow");
  return from_nanoseconds(static_cast<std::int64_t>(product));
}

rmw_time_t Duration::to_rmw_time() const {
  if (value_ < 0) throw std::runtime_error("rmw_time_t cannot be negative");
  return {static_cast<std::uint64_t>(value_ / kNanosecondsPerSecond),
          static_cast<std::uint64_t>(value_ % kNanosecondsPerSecond)};
}

Duration Duration::from_seconds(double seconds) {
  const double value = seconds * 1e9;
  if (!(std::fabs(value) < 9.2233720368547e18))
    throw std::overflow_error("duration is too long for int64_t nanoseconds");
  return from_nanoseconds(static_cast<std::int64_t>(value));
}

Duration Duration::from_rmw_time(rmw_time_t duration) {
  constexpr auto kMax = static_cast<std::uint64_t>(INT64_MAX);
  if (duration.sec > kMax / kNanosecondsPerSecond) return from_nanoseconds(INT64_MAX);
  const std::uint64_t seconds = duration.sec * kNanosecondsPerSecond;
  if (duration.nsec > kMax - seconds) return from_nanoseconds(INT64_MAX);
  return from_nanoseconds(static_cast<std::int64_t>(seconds + duration.nsec));
}

Time::Time(int32_t seconds, uint32_t nanoseconds, rcl_clock_type_t clock_type)
    : value_(join(seconds, nanoseconds)), clock_type_(clock_type) {}

Time::Time(const builtin_interfaces::msg::Time & message, rcl_clock_type_t clock_type)
    : value_(join(message.sec, message.nanosec)), clock_type_(clock_type) {}

Time & Time::operator=(const builtin_interfaces::msg::Time & message) { return *this = Time(message); }

Time::operator builtin_interfaces::msg::Time() const {
  const Parts parts = split(value_, 999999999);
  builtin_interfaces::msg::Time message;
  message.sec = parts.seconds;
  message.nanosec = parts.nanoseconds;
  return message;
}

Time Time::operator+(const Duration & rhs) const { return Time(add(value_, rhs.nanoseconds()), clock_type_); }
Time Time::operator-(const Duration & rhs) const {
  return Time(subtract(value_, rhs.nanoseconds(), "time subtraction"), clock_type_);
}

Duration Time::operator-(const Time & rhs) const {
  if (clock_type_ != rhs.clock_type_) {
    throw std::runtime_error("can't subtract times with different time sources [" + std::to_string(clock_type_) +
                             " != " + std::to_string(rhs.clock_type_) + "]");
  }
  return Duration::from_nanoseconds(subtract(value_, rhs.value_, "time subtraction"));
}

void Time::throw_different_clocks(const char * what) { throw std::runtime_error(what); }

Time operator+(const Duration & lhs, const Time & rhs) { return rhs + lhs; }

namespace {
std::int64_t nanoseconds_of(const builtin_interfaces::msg::Time & time) {
  if (time.sec < 0) throw std::runtime_error("message time is negative");
  return time.sec * kNanosecondsPerSecond + time.nanosec;
}
}  // namespace

builtin_interfaces::msg::Time operator+(const builtin_interfaces::msg::Time & lhs, const Duration & rhs) {
  return Time(add(nanoseconds_of(lhs), rhs.nanoseconds()));
}

builtin_interfaces::msg::Time operator-(const builtin_interfaces::msg::Time & lhs, const Duration & rhs) {
  return Time(subtract(nanoseconds_of(lhs), rhs.nanoseconds(), "addition"));  // the word of rclcpp
}

}  // namespace rclcpp
