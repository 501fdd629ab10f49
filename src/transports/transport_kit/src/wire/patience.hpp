// When to try again what others must do their part for.
#pragma once

#include <algorithm>
#include <chrono>

namespace tandem::transport {

/// Soon at first, then after twice as long each time. Begins anew when there is more to be tried, or less.
class Patience {
 public:
  using Clock = std::chrono::steady_clock;

  /// `pending`: what is to be tried again. \return when; never if there is nothing.
  Clock::time_point next(std::size_t pending) {
    const auto now = Clock::now();
    if (pending == 0 || pending != pending_) {
      length_ = kFirst;
    } else if (now >= next_) {
      length_ = std::min<Clock::duration>(2 * length_, kLongest);
    } else {
      return next_;
    }
    pending_ = pending;
    next_ = pending == 0 ? Clock::time_point::max() : now + length_;
    return next_;
  }

 private:
  static constexpr Clock::duration kFirst = std::chrono::milliseconds(2);
  static constexpr Clock::duration kLongest = std::chrono::seconds(1);

  std::size_t pending_ = 0;
  Clock::duration length_ = kFirst;
  Clock::time_point next_ = Clock::time_point::max();
};

}  // namespace tandem::transport
