// Messages at a rate, and what their receiver spends on them.
#pragma once

#include <time.h>

#include <cerrno>

#include "contestant.hpp"

namespace bench {

/// The time that this thread was on a processor, in ns.
inline double thread_time() {
  timespec time{};
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time);
  return static_cast<double>(time.tv_sec) * 1e9 + static_cast<double>(time.tv_nsec);
}

inline void sleep_until(Clock::time_point moment) {
  const auto since_boot = moment.time_since_epoch().count();
  const timespec time{since_boot / 1'000'000'000, since_boot % 1'000'000'000};
  while (clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &time, nullptr) == EINTR) {
  }
}

/// Calls `publish(head)` `count` times, one `period` after another; `head.sequence` is the time, `head.last` marks the last one.
/// Sleeps between calls when `sleeps`.
template <class Publish>
void publish_paced(std::size_t count, Clock::duration period, bool sleeps, Publish publish) {
  auto next = Clock::now();
  for (std::size_t n = 1; n <= count; ++n) {
    next += period;
    if (sleeps) {
      sleep_until(next);
    }
    while (Clock::now() < next) {
    }
    publish(Head{static_cast<std::uint64_t>(Clock::now().time_since_epoch().count()), n == count ? 1U : 0U});
  }
}

/// How long ago such a message was published, in ns.
inline double delay_of(const Head & head) {
  return nanoseconds_between(Clock::time_point(std::chrono::nanoseconds(head.sequence)), Clock::now());
}

}  // namespace bench
