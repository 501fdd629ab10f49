#include "topic_update.hpp"

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
    if (would_repeat || is_planned || !has_been_missing(subscription.missing_since, kRemovalDelay)) {
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
    subscription.expected_writers = planned != plan.subscriptions.end() ? planned->second.writers : 0;
  }
}

void remove_unplanned(Topic & topic, const TopicPlan & plan, Direction direction, Garbage & garbage) {
  remove_proxies(topic, plan, direction, garbage);
  remove_subscriptions(topic, plan, direction, garbage);
}

bool replace_subscriptions(Topic & topic, Garbage & garbage) {
  bool has_replaced = false;
  for (auto & [grade, subscription] : topic.subscriptions) {
    if (!subscription.successor || !has_matched(*subscription.successor)) {
      continue;
    }
    // Both have been matched with all publishers for a while. So the successor has what the present one has not
    // brought, behind messages that it has brought.
    topic.removed_counts.lost += subscription.endpoint->lost();
    garbage.push_back(std::move(subscription.endpoint));
    const std::unique_ptr<GatewaySubscription> successor = std::move(subscription.successor);
    subscription = std::move(*successor);
    for (auto & [gid, proxy] : topic.proxies) {
      proxy.expect_duplicates();
    }
    has_replaced = true;
  }
  return has_replaced;
}

void choose_subscriptions(Topic & topic) {
  std::set<Grade> all;
  std::set<Grade> matched;
  for (const auto & [grade, subscription] : topic.subscriptions) {
    all.insert(grade);
    if (has_matched(subscription)) {
      matched.insert(grade);
    }
  }
  for (auto & [gid, proxy] : topic.proxies) {
    if (!proxy.publisher) {
      continue;
    }
    auto grade = best(matched, grade_of(proxy.source_qos));
    grade = grade ? grade : best(all, grade_of(proxy.source_qos));
    if (grade) {
      proxy.select_grade(*grade);
    }
  }
}

}  // namespace tandem::gateway
