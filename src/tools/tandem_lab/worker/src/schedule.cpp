// See schedule.hpp.
#include "schedule.hpp"

#include <algorithm>

#include "clock.hpp"

namespace lab {
namespace {

constexpr std::int64_t kLongestSleep = 50'000'000;
constexpr std::int64_t kSpinTime = 100'000;

}  // namespace

bool sleep_until(std::int64_t due_ns, bool spins, const Control & control) {
  const std::int64_t sleep_end = due_ns - (spins ? kSpinTime : 0);
  for (std::int64_t now = now_ns(); now < sleep_end && !control.is_stopped(); now = now_ns()) {
    const std::int64_t end = std::min(sleep_end, now + kLongestSleep);
    const timespec until{end / kSecond, end % kSecond};
    clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &until, nullptr);
  }
  while (now_ns() < due_ns && !control.is_stopped()) {
  }
  return !control.is_stopped();
}

std::int64_t Schedule::next() const noexcept {
  if (spec_.rate > 0) return start_ + static_cast<std::int64_t>(static_cast<double>(sent_) * 1e9 / spec_.rate);
  if (spec_.demand == 0 || sent_ < spec_.demand) return burst_;
  return burst_ + spec_.recovery_us * 1000;
}

std::int64_t Schedule::take(std::int64_t now) noexcept {
  const std::int64_t due = next();
  if (spec_.rate > 0) {
    ++sent_;
    return due;
  }
  if (spec_.demand > 0) {
    if (sent_ == spec_.demand) sent_ = 0;
    if (sent_ == 0) burst_ = now;
    ++sent_;
  }
  return now;
}

}  // namespace lab
