// Waiting for what nobody tells of.
#ifndef RCLCPP__DETAIL__WAIT_UNTIL_HPP_
#define RCLCPP__DETAIL__WAIT_UNTIL_HPP_

#include <algorithm>
#include <chrono>

#include "rclcpp/context.hpp"

namespace rclcpp::detail {

/// Looks until `is_so()`, the context's shutdown, or the timeout (negative: without end): after 0.2 ms first, then ever more
/// seldom, at last every 10 ms.
/// \return what `is_so()` returned last.
template <class Predicate>
bool wait_until(Context & context, std::chrono::nanoseconds timeout, Predicate && is_so) {
  using Steady = std::chrono::steady_clock;
  const auto begin = Steady::now();
  std::chrono::nanoseconds pause = std::chrono::microseconds(100);
  while (context.is_valid()) {
    if (is_so()) return true;
    const std::chrono::nanoseconds waited = Steady::now() - begin;
    if (timeout.count() >= 0 && waited >= timeout) return false;
    pause = std::min<std::chrono::nanoseconds>(2 * pause, std::chrono::milliseconds(10));
    context.sleep_for(timeout.count() < 0 ? pause : std::min(pause, timeout - waited));
  }
  return false;
}

}  // namespace rclcpp::detail

#endif  // RCLCPP__DETAIL__WAIT_UNTIL_HPP_
