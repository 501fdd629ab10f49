// Keeping a loop at a rate.
#ifndef RCLCPP__RATE_HPP_
#define RCLCPP__RATE_HPP_

#include <chrono>
#include <memory>

#include "rclcpp/clock.hpp"
#include "rclcpp/duration.hpp"
#include "rclcpp/macros.hpp"
#include "rclcpp/utilities.hpp"
#include "rclcpp/visibility_control.hpp"

namespace rclcpp {

class RCLCPP_PUBLIC RateBase {
 public:
  RCLCPP_SMART_PTR_ALIASES_ONLY(RateBase)
  RCLCPP_DISABLE_COPY(RateBase)
  RateBase() = default;
  virtual ~RateBase() = default;
  virtual bool sleep() = 0;
  virtual bool is_steady() const = 0;
  virtual rcl_clock_type_t get_type() const = 0;
  virtual void reset() = 0;
};

/// Not thread-safe.
class RCLCPP_PUBLIC Rate : public RateBase {
 public:
  RCLCPP_SMART_PTR_DEFINITIONS(Rate)

  /// \throws std::invalid_argument for a rate or a period that is not positive.
  explicit Rate(double rate, Clock::SharedPtr clock = system_clock());
  explicit Rate(const Duration & period, Clock::SharedPtr clock = system_clock());

  /// Sleeps until the period that began with the last call is over. \return false when it was over before the call,
  /// or when the context was shut down.
  bool sleep() override;
  bool is_steady() const override { return get_type() == RCL_STEADY_TIME; }
  rcl_clock_type_t get_type() const override { return clock_->get_clock_type(); }
  void reset() override { last_interval_ = clock_->now(); }
  std::chrono::nanoseconds period() const { return period_.to_chrono<std::chrono::nanoseconds>(); }

 private:
  static Clock::SharedPtr system_clock();

  Clock::SharedPtr clock_;
  Duration period_;
  Time last_interval_;
};

class RCLCPP_PUBLIC WallRate : public Rate {
 public:
  RCLCPP_SMART_PTR_DEFINITIONS(WallRate)
  explicit WallRate(double rate);
  explicit WallRate(const Duration & period);
};

class RCLCPP_PUBLIC ROSRate : public Rate {
 public:
  RCLCPP_SMART_PTR_DEFINITIONS(ROSRate)
  explicit ROSRate(double rate);
  explicit ROSRate(const Duration & period);
};

/// A rate of one of std::chrono's clocks, as Humble has it. Not thread-safe.
template <class ClockT = std::chrono::high_resolution_clock>
class [[deprecated("use rclcpp::Rate class instead of GenericRate")]] GenericRate : public RateBase {
 public:
  RCLCPP_SMART_PTR_DEFINITIONS(GenericRate)

  explicit GenericRate(double rate)
      : GenericRate(std::chrono::duration_cast<std::chrono::nanoseconds>(std::chrono::duration<double>(1.0 / rate))) {}
  explicit GenericRate(std::chrono::nanoseconds period) : period_(period), last_interval_(ClockT::now()) {}

  /// As Rate::sleep().
  bool sleep() override {
    const auto now = ClockT::now();
    if (now < last_interval_) last_interval_ = now;  // the clock was set back
    last_interval_ += std::chrono::duration_cast<typename ClockT::duration>(period_);
    const auto rest = last_interval_ - now;
    if (rest > ClockT::duration::zero()) return rclcpp::sleep_for(rest);
    if (-rest > period_) last_interval_ = now;  // more than a period late: begin anew
    return false;
  }
  bool is_steady() const override { return ClockT::is_steady; }
  rcl_clock_type_t get_type() const override { return ClockT::is_steady ? RCL_STEADY_TIME : RCL_SYSTEM_TIME; }
  void reset() override { last_interval_ = ClockT::now(); }
  std::chrono::nanoseconds period() const { return period_; }

 private:
  const std::chrono::nanoseconds period_;
  typename ClockT::time_point last_interval_;
};

}  // namespace rclcpp

#endif  // RCLCPP__RATE_HPP_
