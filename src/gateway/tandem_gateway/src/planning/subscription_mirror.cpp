#include "planning/subscription_mirror.hpp"

#include <algorithm>

namespace tandem::gateway {

std::vector<ShownSubscription> not_shown_by(const std::vector<ShownSubscription> & carriers,
                                            std::vector<ShownSubscription> wanted) {
  std::sort(wanted.begin(), wanted.end());
  std::vector<ShownSubscription> others;  // carriers whose node has no subscription of this grade
  const auto remove = [&wanted](const auto & is_it) {
    const auto found = std::find_if(wanted.begin(), wanted.end(), is_it);
    return found != wanted.end() && (wanted.erase(found), true);
  };
  for (const ShownSubscription & carrier : carriers) {
    if (!remove([&](const auto & one) { return one == carrier; })) {
      others.push_back(carrier);
    }
  }
  for (const ShownSubscription & carrier : others) {
    remove([&](const auto & one) { return one.node == carrier.node && one.name_space == carrier.name_space; });
  }
  return wanted;
}

std::vector<ShownSubscription> SubscriptionMirror::keep_only(const std::string & topic,
                                                             std::vector<ShownSubscription> subscriptions) {
  if (subscriptions.size() > kMost) {
    subscriptions.erase(subscriptions.begin() + kMost, subscriptions.end());
  }
  const auto found = shown_.find(topic);
  if (found == shown_.end()) {
    return subscriptions;
  }
  Shown kept;
  std::vector<ShownSubscription> lacking;
  for (const ShownSubscription & subscription : subscriptions) {
    if (auto present = found->second.extract(subscription)) {
      kept.insert(std::move(present));
    } else {
      lacking.push_back(subscription);
    }
  }
  found->second = std::move(kept);
  if (found->second.empty()) {
    shown_.erase(found);
  }
  return lacking;
}

void SubscriptionMirror::add(const std::string & topic, const MessageType & type,
                             const std::vector<ShownSubscription> & subscriptions) {
  try {
    for (const ShownSubscription & subscription : subscriptions) {
      shown_[topic].emplace(subscription, create(topic, type, subscription));
    }
  } catch (const std::exception & error) {
    log_.warn_once("topic '" + topic + "': not all of its subscriptions are shown on the other side: " + error.what());
  }
}

std::shared_ptr<transport::Subscription> SubscriptionMirror::create(const std::string & topic, const MessageType & type,
                                                                    const ShownSubscription & subscription) {
  transport::TopicOptions options;
  options.node = {subscription.name_space, subscription.node};
  options.topic = topic;
  options.qos.reliability = subscription.grade.reliability;
  options.qos.durability = subscription.grade.durability;
  options.qos.history = transport::History::kKeepLast;
  options.qos.depth = 1;
  options.ignore_local_publications = true;
  auto created = to_.create_subscription(type, options);
  own_.note(created->gid());
  return created;
}

}  // namespace tandem::gateway
