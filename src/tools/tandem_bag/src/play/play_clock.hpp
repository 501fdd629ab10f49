// The bag's time: how it goes on with the steady clock. Not thread-safe.
#pragma once

#include <algorithm>
#include <chrono>
#include <cstdint>

namespace tandem::bag {

class PlayClock {
 public:
  using Steady = std::chrono::steady_clock;

  std::int64_t now() const {
    if (is_paused_ || is_held_) {
      return time_;
    }
    const auto passed = std::chrono::duration<double, std::nano>(Steady::now() - since_).count();
    return time_ + static_cast<std::int64_t>(passed * rate_);
  }
  /// When it is `time`, unless it is paused.
  Steady::time_point when(std::int64_t time) const {
    constexpr double kForEver = 1e18;  // ns: a slow rate may ask for more than can be counted
    const double left = std::min(static_cast<double>(time - time_) / rate_, kForEver);
    return since_ + std::chrono::nanoseconds(static_cast<std::int64_t>(left));
  }
  void jump(std::int64_t time) {
    time_ = time;
    since_ = Steady::now();
  }
  /// Stays at `time` until release(), which does nothing to a clock that is not held.
  void hold(std::int64_t time) {
    jump(time);
    is_held_ = true;
  }
  void release() {
    if (is_held_) {
      is_held_ = false;
      jump(time_);
    }
  }
  void set_paused(bool is_paused) {
    jump(now());
    is_paused_ = is_paused;
  }
  void set_rate(double rate) {
    jump(now());
    rate_ = rate;
  }
  bool is_paused() const { return is_paused_; }
  double rate() const { return rate_; }

 private:
  std::int64_t time_ = 0;     // of the bag
  Steady::time_point since_;  // when it was time_
  double rate_ = 1;
  bool is_paused_ = false;
  bool is_held_ = false;
};

}  // namespace tandem::bag
