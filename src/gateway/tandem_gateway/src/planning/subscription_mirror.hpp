// Shows the subscriptions of one side on the other. The gateway has one subscription for many, which bears the name of one
// of their nodes only; each of the others gets one that is there to be seen.
//
// Nothing is taken from these. They keep one message, and their publishers wait for none of them. They have the
// reliability and the durability of whom they show, so they match the same publishers, and are counted by them.
#pragma once

#include <compare>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "base/log.hpp"
#include "base/recent.hpp"
#include "planning/grade.hpp"

namespace tandem::gateway {

/// What others see of a subscription.
struct ShownSubscription {
  std::string name_space;  ///< of its node
  std::string node;
  Grade grade;
  friend auto operator<=>(const ShownSubscription &, const ShownSubscription &) = default;
};

/// Those of `wanted` that `carriers`, the gateway's other subscriptions, do not show. Sorted. Each carrier shows one of its
/// node, of its grade if there is one.
std::vector<ShownSubscription> not_shown_by(const std::vector<ShownSubscription> & carriers,
                                            std::vector<ShownSubscription> wanted);

/// Used by one thread.
class SubscriptionMirror {
 public:
  /// Of one topic no more are shown: a publisher has room for some hundreds.
  static constexpr std::size_t kMost = 100;

  /// `own` collects the gids.
  SubscriptionMirror(transport::Context & to, Recent<transport::Gid> & own, Log & log)
      : to_(to), own_(own), log_(log) {}

  /// Ends all of a topic that are not among these. They are sorted. \return those that are not shown yet.
  std::vector<ShownSubscription> keep_only(const std::string & topic, std::vector<ShownSubscription> subscriptions);
  void add(const std::string & topic, const MessageType & type, const std::vector<ShownSubscription> & subscriptions);
  void forget(const std::string & topic) { shown_.erase(topic); }

 private:
  using Shown = std::multimap<ShownSubscription, std::shared_ptr<transport::Subscription>>;

  std::shared_ptr<transport::Subscription> create(const std::string & topic, const MessageType & type,
                                                  const ShownSubscription & subscription);

  transport::Context & to_;
  Recent<transport::Gid> & own_;
  Log & log_;
  std::map<std::string, Shown> shown_;  ///< by topic
};

}  // namespace tandem::gateway
