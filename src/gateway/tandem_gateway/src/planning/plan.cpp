#include "planning/plan.hpp"

#include <algorithm>
#include <tuple>

#include "planning/node_name_wait.hpp"

namespace tandem::gateway {
namespace {

using transport::Durability;
using transport::EndpointInfo;
using transport::History;
using transport::Qos;
using transport::Reliability;

/// The least depth of the gateway's subscriptions. With a smaller one they would have to be replaced whenever somebody
/// asks for more. It costs nothing: the forwarder takes messages at once, so the queue stays empty.
constexpr std::uint32_t kMinDepth = 1000;

bool any_keeps_all(const std::vector<EndpointInfo> & endpoints) {
  return std::any_of(endpoints.begin(), endpoints.end(), [](const auto & one) { return keeps_all(one.qos); });
}

std::uint32_t deepest(const std::vector<EndpointInfo> & endpoints) {
  std::uint32_t depth = 1;
  for (const EndpointInfo & endpoint : endpoints) {
    if (endpoint.qos.history == History::kKeepLast) {
      depth = std::max(depth, std::min(endpoint.qos.depth, kMaxDepth));
    }
  }
  return depth;
}

/// The QoS of a publisher's proxy: that of the publisher, with one exception.
///
/// The depth of a volatile publisher on the network is 0 where its DDS does not announce it, and a subscription of this
/// host may ask for more than it has. The proxy then takes the greatest depth that a subscription of this host asks
/// for. The depth of a transient-local publisher is announced, and stays: with a greater one, late joiners would get
/// more than they should.
Qos offered(Direction direction, const EndpointInfo & source, const Endpoints & endpoints) {
  Qos qos = source.qos;
  qos.max_blocking_time = std::chrono::nanoseconds(0);  // a forwarder serves other topics instead of waiting
  qos.depth = std::clamp(qos.depth, 1U, kMaxDepth);
  if (direction == Direction::kIn && qos.durability == Durability::kVolatile) {
    const bool waits = qos.reliability == Reliability::kReliable && any_keeps_all(endpoints.subscriptions);
    qos.history = waits ? History::kKeepAll : History::kKeepLast;
    const std::uint32_t wanted = deepest(endpoints.subscriptions);
    qos.depth = source.qos.depth >= wanted ? qos.depth : round_up_depth(wanted);
  }
  return qos;
}

/// The QoS of the subscription of one grade. It loses nothing that the publishers keep (out) or the subscriptions ask
/// for (in).
Qos requested(Direction direction, Grade grade, const Endpoints & endpoints) {
  const auto & decisive = direction == Direction::kOut ? endpoints.publishers : endpoints.subscriptions;
  Qos qos;
  qos.reliability = grade.reliability;
  qos.durability = grade.durability;
  const bool all = grade.reliability == Reliability::kReliable && any_keeps_all(decisive);
  qos.history = all ? History::kKeepAll : History::kKeepLast;
  qos.depth = round_up_depth(std::max(kMinDepth, deepest(decisive)));
  return qos;
}

std::vector<transport::NodeName> nodes_of(const std::vector<EndpointInfo> & endpoints) {
  std::vector<transport::NodeName> nodes;
  for (const EndpointInfo & endpoint : endpoints) {
    nodes.push_back(endpoint.node);
  }
  std::sort(nodes.begin(), nodes.end(), [](const auto & a, const auto & b) {
    return std::tie(a.name_space, a.name) < std::tie(b.name_space, b.name);
  });
  return nodes;
}

}  // namespace

TopicPlan make_plan(Direction direction, const Endpoints & endpoints) {
  TopicPlan plan;
  for (const EndpointInfo & source : endpoints.publishers) {
    const auto is_served = [&source](const EndpointInfo & subscription) {
      return serves(grade_of(source.qos), grade_of(subscription.qos));
    };
    const auto readers = std::count_if(endpoints.subscriptions.begin(), endpoints.subscriptions.end(), is_served);
    plan.publishers[source.gid] = {source, offered(direction, source, endpoints), static_cast<std::size_t>(readers)};
  }
  if (endpoints.subscriptions.empty()) {
    return plan;
  }
  std::set<Grade> asked;
  for (const EndpointInfo & subscription : endpoints.subscriptions) {
    if (!is_unknown(subscription.node)) {
      plan.represented.push_back({subscription.node.name_space, subscription.node.name, grade_of(subscription.qos)});
    }
    asked.insert(grade_of(subscription.qos));
  }
  const std::set<Grade> grades = closure(asked);
  std::set<Grade> needed;
  for (const EndpointInfo & source : endpoints.publishers) {
    if (const auto grade = best(grades, grade_of(source.qos))) {
      needed.insert(*grade);
    }
  }
  if (direction == Direction::kIn && needed.empty()) {
    needed = asked;  // nobody publishes yet; the network shall see that somebody subscribes
  }
  for (const Grade & grade : needed) {
    const auto writers = std::count_if(endpoints.publishers.begin(), endpoints.publishers.end(),
                                       [&grade](const auto & source) { return serves(grade_of(source.qos), grade); });
    plan.subscriptions[grade] = {nodes_of(endpoints.subscriptions), requested(direction, grade, endpoints),
                                 static_cast<std::size_t>(writers)};
  }
  return plan;
}

}  // namespace tandem::gateway
