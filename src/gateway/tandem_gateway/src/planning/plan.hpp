// Which endpoints the gateway needs for one topic in one direction, computed from both graphs. Pure functions.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "base/direction.hpp"
#include "planning/grade.hpp"
#include "planning/subscription_mirror.hpp"
#include "tandem/message_type.hpp"

namespace tandem::gateway {

/// The publishers on the side where messages come from, and the subscriptions on the side where they go. The gateway's
/// own are left out.
struct Endpoints {
  std::vector<transport::EndpointInfo> publishers;
  std::vector<transport::EndpointInfo> subscriptions;
};

/// The proxy for one publisher on the other side.
struct PublisherPlan {
  transport::EndpointInfo source;
  transport::Qos qos;
  std::size_t readers = 0;  ///< subscriptions that it serves
};

/// The subscription of one grade that represents those of the other side.
struct SubscriptionPlan {
  std::vector<transport::NodeName> nodes;  ///< of those it represents, sorted; it bears the name of one of them
  transport::Qos qos;
  std::size_t writers = 0;  ///< publishers that serve it
};

struct TopicPlan {
  std::map<transport::Gid, PublisherPlan> publishers;
  std::map<Grade, SubscriptionPlan> subscriptions;
  std::vector<ShownSubscription> represented;  ///< the subscriptions of the other side, as far as their nodes are known
  std::set<transport::Gid> refused;            ///< publishers whose messages are not carried, should some arrive
};

TopicPlan make_plan(Direction direction, const Endpoints & endpoints);

}  // namespace tandem::gateway
