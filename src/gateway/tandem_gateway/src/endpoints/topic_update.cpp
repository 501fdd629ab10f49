#include "endpoints/topic_update.hpp"

#include <algorithm>
#include <set>

namespace tandem::gateway {
namespace {

using transport::Durability;

/// How long an endpoint stays after its last user. The user may come back, and messages may still be on their way.
constexpr auto kRemovalDelay = std::chrono::milliseconds(500);
/// How long a publisher stays at most for remote readers that have not acknowledged everything.
constexpr auto kAcknowledgeTimeout = std::chrono::seconds(10);
/// How long a new subscription may take to match its publishers. After that it is used as it is.
constexpr auto kMatchTimeout = std::chrono::seconds(3);
/// How long a subscription goes on after its successor has matched. On the network its publishers have to hear of the
/// successor, and what was lost before they did is sent again to the old one alone.
constexpr auto kHostOverlap = std::chrono::milliseconds(100);
constexpr auto kNetworkOverlap = std::chrono::seconds(3);
/// How much longer it may take to bring what the successor is ahead of it.
constexpr auto kOverlapPatience = std::chrono::seconds(5);

/// Whether a subscription has matched all publishers that it is going to match.
bool has_matched(const GatewaySubscription & subscription) {
  return subscription.endpoint->publisher_count() >= subscription.expected_writers ||
         Clock::now() - subscription.created > kMatchTimeout;
}

/// Sets the time at the first call. \return whether that is longer ago than `delay`.
bool has_been_missing(std::optional<Clock::time_point> & since, Clock::duration delay) {
  since = since.value_or(Clock::now());
  return Clock::now() - *since > delay;
}

/// The subscription, or successor of one, with this number; null when it is gone.
const GatewaySubscription * find(const Topic & topic, std::uint64_t number) {
  for (const auto & [grade, subscription] : topic.subscriptions) {
    for (const GatewaySubscription * one = &subscription; one != nullptr; one = one->successor.get()) {
      if (one->number == number) {
        return one;
      }
    }
  }
  return nullptr;
}

/// Whether the carrier of a proxy has brought all that the successor will not bring.
bool may_change_over(const Proxy & proxy, const GatewaySubscription & carrier, Direction direction) {
  const Clock::duration overlap =
      direction == Direction::kOut ? Clock::duration(kHostOverlap) : Clock::duration(kNetworkOverlap);
  const Clock::duration waited = Clock::now() - proxy.succeeds_since;
  if (waited < overlap) {
    return false;
  }
  const bool is_complete = proxy.ahead.empty() || !proxy.last
                               ? !carrier.endpoint->has_data()
                               : proxy.ahead.front().info.sequence <= proxy.last->sequence + 1;
  return is_complete || waited > overlap + kOverlapPatience;
}

/// Lets `chosen` carry the messages of a proxy. \return whether it does from now on.
bool choose(const Topic & topic, Proxy & proxy, const GatewaySubscription & chosen, Direction direction) {
  const GatewaySubscription * const carrier = find(topic, proxy.carrier);
  if (carrier == &chosen) {
    proxy.prepare(0);
    return false;
  }
  proxy.prepare(chosen.number);
  if (carrier != nullptr && !may_change_over(proxy, *carrier, direction)) {
    return false;
  }
  proxy.change_over();
  return true;
}

/// Whether a proxy still needs what this one brings, until another one carries its messages.
bool is_leaving_carrier(const Topic & topic, const GatewaySubscription & subscription) {
  return std::any_of(topic.proxies.begin(), topic.proxies.end(), [&subscription](const auto & entry) {
    return entry.second.carrier == subscription.number && entry.second.successor != 0;
  });
}

bool is_everything_delivered(const Proxy & proxy) {
  return proxy.queue.empty() && proxy.publisher->wait_for_all_acked(std::chrono::nanoseconds(0));
}

/// Whether a proxy can go that the plan does not name.
bool is_removable(Proxy & proxy) {
  return proxy.publisher && has_been_missing(proxy.missing_since, kRemovalDelay) &&
         (is_everything_delivered(proxy) || has_been_missing(proxy.missing_since, kAcknowledgeTimeout));
}

void remove_proxies(Topic & topic, const TopicPlan & plan, Direction direction, Garbage & garbage) {
  for (auto it = topic.proxies.begin(); it != topic.proxies.end();) {
    auto & [gid, proxy] = *it;
    if (plan.publishers.contains(gid) || !is_removable(proxy)) {
      ++it;
      continue;
    }
    topic.counts.lost += proxy.queue.size();
    topic.removed_counts.copied += direction == Direction::kIn ? proxy.publisher->copied() : 0;
    garbage.push_back(std::move(proxy.publisher));
    it = topic.proxies.erase(it);
  }
}

void remove_subscriptions(Topic & topic, const TopicPlan & plan, Direction direction, Garbage & garbage) {
  const bool is_wanted = direction == Direction::kIn || has_readers(topic);
  const bool has_history = std::any_of(topic.proxies.begin(), topic.proxies.end(), [](const auto & entry) {
    return entry.second.qos.durability == Durability::kTransientLocal;
  });
  for (auto it = topic.subscriptions.begin(); it != topic.subscriptions.end();) {
    auto & [grade, subscription] = *it;
    const bool is_planned = is_wanted && plan.subscriptions.contains(grade);
    // The proxies keep the history. A subscription that is made anew would bring it a second time.
    const bool would_repeat = has_history && grade.durability == Durability::kTransientLocal;
    if (would_repeat || is_planned || is_leaving_carrier(topic, subscription) ||
        !has_been_missing(subscription.missing_since, kRemovalDelay)) {
      ++it;
      continue;
    }
    topic.removed_counts.lost += subscription.endpoint->lost();
    garbage.push_back(std::move(subscription.endpoint));
    if (subscription.successor) {
      garbage.push_back(std::move(subscription.successor->endpoint));
    }
    it = topic.subscriptions.erase(it);
  }
}

}  // namespace

bool has_readers(const Topic & topic) {
  return std::any_of(topic.proxies.begin(), topic.proxies.end(), [](const auto & entry) {
    const Proxy & proxy = entry.second;
    return proxy.publisher && proxy.publisher->subscription_count() > 0;
  });
}

void update_expected_matches(Topic & topic, const TopicPlan & plan) {
  for (auto & [gid, proxy] : topic.proxies) {
    const auto planned = plan.publishers.find(gid);
    proxy.expected_readers = planned != plan.publishers.end() ? planned->second.readers : proxy.expected_readers;
  }
  for (auto & [grade, subscription] : topic.subscriptions) {
    const auto planned = plan.subscriptions.find(grade);
    for (GatewaySubscription * one = &subscription; one != nullptr; one = one->successor.get()) {
      one->expected_writers = planned != plan.subscriptions.end() ? planned->second.writers : 0;
    }
  }
}

void remove_unplanned(Topic & topic, const TopicPlan & plan, Direction direction, Garbage & garbage) {
  remove_proxies(topic, plan, direction, garbage);
  remove_subscriptions(topic, plan, direction, garbage);
}

bool choose_subscriptions(Topic & topic, Direction direction) {
  std::set<Grade> all;
  std::set<Grade> matched;
  for (const auto & [grade, subscription] : topic.subscriptions) {
    all.insert(grade);
    if (has_matched(subscription)) {
      matched.insert(grade);
    }
  }
  bool has_changed = false;
  for (auto & [gid, proxy] : topic.proxies) {
    if (!proxy.publisher) {
      continue;
    }
    auto grade = best(matched, grade_of(proxy.source_qos));
    grade = grade ? grade : best(all, grade_of(proxy.source_qos));
    if (!grade) {
      continue;
    }
    const GatewaySubscription & present = topic.subscriptions.at(*grade);
    if (proxy.carrier == 0) {
      proxy.begin_with(present.number);
      has_changed = true;
      continue;
    }
    const bool is_replaced = present.successor && has_matched(*present.successor);
    has_changed = choose(topic, proxy, is_replaced ? *present.successor : present, direction) || has_changed;
  }
  return has_changed;
}

std::vector<ShownSubscription> shown_by(const Topic & topic) {
  std::vector<ShownSubscription> shown;
  for (const auto & [grade, subscription] : topic.subscriptions) {
    for (const GatewaySubscription * one = &subscription; one != nullptr; one = one->successor.get()) {
      shown.push_back({one->node.name_space, one->node.name, grade});
    }
  }
  return shown;
}

bool have_all_matched(const Topic & topic) {
  return std::all_of(topic.subscriptions.begin(), topic.subscriptions.end(),
                     [](const auto & entry) { return has_matched(entry.second); });
}

void replace_subscriptions(Topic & topic, Garbage & garbage) {
  for (auto & entry : topic.subscriptions) {
    GatewaySubscription & subscription = entry.second;
    const bool is_carrier = std::any_of(topic.proxies.begin(), topic.proxies.end(), [&](const auto & of_proxy) {
      const Proxy & proxy = of_proxy.second;
      return proxy.carrier == subscription.number || (proxy.carrier == 0 && !proxy.queue.empty());
    });
    if (is_carrier || !subscription.successor || !has_matched(*subscription.successor)) {
      continue;
    }
    // What the successor lacks so far, this one has carried.
    topic.removed_counts.lost += subscription.endpoint->lost() - subscription.successor->endpoint->lost();
    garbage.push_back(std::move(subscription.endpoint));
    const std::unique_ptr<GatewaySubscription> successor = std::move(subscription.successor);
    subscription = std::move(*successor);
  }
}

}  // namespace tandem::gateway
