// The clock of all stamps, and how threads wait for a time of it.
#pragma once

#include <time.h>

#include <algorithm>
#include <chrono>
#include <cstdint>

namespace tandem::measure {

/// CLOCK_MONOTONIC: the same for all processes of a host. System calls: none (vDSO).
using Clock = std::chrono::steady_clock;

constexpr std::int64_t kSecond = 1'000'000'000;  ///< ns

/// Clock's time in ns.
inline std::int64_t now_ns() noexcept { return Clock::now().time_since_epoch() / std::chrono::nanoseconds(1); }

/// ns since the epoch. It may be set back.
inline std::int64_t wall_ns() noexcept {
  return std::chrono::system_clock::now().time_since_epoch() / std::chrono::nanoseconds(1);
}

inline double nanoseconds_between(Clock::time_point begin, Clock::time_point end) noexcept {
  return std::chrono::duration<double, std::nano>(end - begin).count();
}

/// What runs between two looks at `goes_on` while a thread waits, at most.
constexpr std::int64_t kLongestSlice = kSecond / 20;

/// Calls `idle(end)`, which returns at about `end` of now_ns(), until it is `due_ns`.
/// \return false as soon as `goes_on()` does.
template <class GoesOn, class Idle>
bool wait_until(std::int64_t due_ns, const GoesOn & goes_on, const Idle & idle) {
  for (std::int64_t now = now_ns(); now < due_ns; now = now_ns()) {
    if (!goes_on()) return false;
    idle(std::min(due_ns, now + kLongestSlice));
  }
  return goes_on();
}

/// Sleeps until `due_ns` of now_ns(); the last `spin_ns` without sleeping. \return false as soon as `goes_on()` does.
template <class GoesOn>
bool sleep_until(std::int64_t due_ns, std::int64_t spin_ns, const GoesOn & goes_on) {
  const auto sleep = [](std::int64_t end) {
    const timespec time{end / kSecond, end % kSecond};
    clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &time, nullptr);
  };
  if (spin_ns <= 0) return wait_until(due_ns, goes_on, sleep);
  return wait_until(due_ns - spin_ns, goes_on, sleep) && wait_until(due_ns, goes_on, [](std::int64_t) {});
}

}  // namespace tandem::measure
