// Messages at a rate, and what their receiver spends on them.
#pragma once

#include "common/contestant.hpp"
#include "tandem/measure/pacer.hpp"

namespace bench {

/// Calls `publish(head)` `count` times, one `period` after another; `head.sequence` is the time, `head.last` marks the last one.
/// Sleeps between calls when `sleeps`.
template <class Publish>
void publish_paced(std::size_t count, std::chrono::nanoseconds period, bool sleeps, Publish publish) {
  const std::int64_t spin = sleeps ? 0 : period.count();
  tandem::measure::Pacer pacer(1e9 / static_cast<double>(period.count()));
  pacer.start(tandem::measure::now_ns());
  for (std::size_t n = 1; n <= count; ++n) {
    tandem::measure::sleep_until(pacer.due(n), spin, [] { return true; });
    publish(Head{static_cast<std::uint64_t>(Clock::now().time_since_epoch().count()), n == count ? 1U : 0U});
  }
}

/// How long ago such a message was published, in ns.
inline double delay_of(const Head & head) {
  return nanoseconds_between(Clock::time_point(std::chrono::nanoseconds(head.sequence)), Clock::now());
}

}  // namespace bench
