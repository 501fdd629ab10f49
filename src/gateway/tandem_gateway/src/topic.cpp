#include "topic.hpp"

namespace tandem::gateway {
namespace {

/// How long a new subscription may bring messages that another one has brought.
constexpr auto kDuplicatePeriod = std::chrono::seconds(5);

}  // namespace

void Proxy::select_grade(Grade selected) {
  if (grade == selected) {
    return;
  }
  if (grade) {
    expect_duplicates();
  } else {
    // Before a grade was selected, every subscription queued its copy of a message.
    queue.keep(selected);
  }
  grade = selected;
}

void Proxy::expect_duplicates() {
  duplicate_timestamp = last_timestamp;
  duplicates_until = Clock::now() + kDuplicatePeriod;
}

Counts total(const Topic & topic, Direction direction) {
  Counts sum = topic.counts;
  sum.lost += topic.removed_counts.lost;
  sum.copied += topic.removed_counts.copied;
  for (const auto & [grade, subscription] : topic.subscriptions) {
    sum.lost += subscription.endpoint->lost();
    sum.copied += direction == Direction::kOut ? subscription.endpoint->copied() : 0;
  }
  for (const auto & [gid, proxy] : topic.proxies) {
    sum.copied += direction == Direction::kIn && proxy.publisher ? proxy.publisher->copied() : 0;
  }
  return sum;
}

}  // namespace tandem::gateway
