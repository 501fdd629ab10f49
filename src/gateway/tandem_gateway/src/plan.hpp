// What the gateway needs of one topic in one direction, worked out from both graphs. Pure functions.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "grade.hpp"
#include "tandem/message_type.hpp"

namespace tandem::gateway {

enum class Direction { kOut, kIn };  ///< from this host to the network; from the network to this host

/// Publishers where messages come from, subscriptions where they go; the gateway's own are left out.
struct Ends {
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
  std::vector<transport::NodeName> nodes;  ///< of those, sorted: any of them may give its name
  transport::Qos qos;
  std::size_t writers = 0;  ///< publishers that serve it
};

struct TopicPlan {
  std::map<transport::Gid, PublisherPlan> publishers;
  std::map<Grade, SubscriptionPlan> subscriptions;
  std::set<transport::Gid> refused;  ///< whose messages are not carried, should some come
};

TopicPlan make_plan(Direction direction, const Ends & ends);

}  // namespace tandem::gateway
