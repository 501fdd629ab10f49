#include "forwarding/topic.hpp"

#include <algorithm>
#include <utility>

namespace tandem::gateway {

void Proxy::begin_with(std::uint64_t subscription) {
  queue.keep(subscription);  // until now every subscription queued its copy of a message
  carrier = subscription;
  if (!queue.empty()) {
    note_carried(queue.back().number());
  }
}

void Proxy::prepare(std::uint64_t subscription) {
  if (successor != subscription) {
    ahead.clear();
    successor = subscription;
    succeeds_since = Clock::now();
  }
}

void Proxy::change_over() {
  for (; !ahead.empty(); ahead.pop()) {
    last = ahead.front().number();
    queue.push(std::move(ahead.front()));
  }
  carrier = std::exchange(successor, 0);
}

void Proxy::note_carried(const MessageNumber & number) {
  last = last ? std::max(*last, number) : number;
  while (!ahead.empty() && ahead.front().number() <= *last) {
    ahead.pop();
  }
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
