#include "plan.hpp"

#include <algorithm>
#include <tuple>

namespace tandem::gateway {
namespace {

using transport::Durability;
using transport::EndpointInfo;
using transport::History;
using transport::Qos;
using transport::Reliability;

constexpr std::uint32_t kMaxDepth = 16000;  // of rmw_tandem_cpp

/// Of a subscription, so that it is hardly ever made anew for somebody who wants more, which costs messages. It is
/// emptied at once, so that nothing gathers in it.
constexpr std::uint32_t kLeastQueue = 1000;

bool keeps_all(const EndpointInfo & endpoint) {
  return endpoint.qos.history == History::kKeepAll && endpoint.qos.reliability == Reliability::kReliable;
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

/// What the proxy of a publisher offers.
///
/// On the network that is what the publisher offers. On this host too, but not every DDS tells how much a volatile
/// publisher keeps (0), and a subscription here may want more: then as much as somebody here can make use of. That of a
/// transient-local one is told, and must be right, or late joiners would get more than they should.
Qos offered(Direction direction, const EndpointInfo & source, const Ends & ends) {
  Qos qos = source.qos;
  qos.max_blocking_time = std::chrono::nanoseconds(0);  // a forwarder serves other topics instead of waiting
  qos.depth = std::clamp(qos.depth, 1U, kMaxDepth);
  if (direction == Direction::kIn && qos.durability == Durability::kVolatile) {
    const bool waits = qos.reliability == Reliability::kReliable &&
                       std::any_of(ends.subscriptions.begin(), ends.subscriptions.end(), keeps_all);
    qos.history = waits ? History::kKeepAll : History::kKeepLast;
    const std::uint32_t wanted = deepest(ends.subscriptions);
    qos.depth = source.qos.depth >= wanted ? qos.depth : roomy(wanted);
  }
  return qos;
}

/// Leaves out nothing that the publishers keep (out) or the subscriptions want (in).
Qos requested(Direction direction, Grade grade, const Ends & ends) {
  const auto & decisive = direction == Direction::kOut ? ends.publishers : ends.subscriptions;
  Qos qos;
  qos.reliability = grade.reliability;
  qos.durability = grade.durability;
  const bool all =
      grade.reliability == Reliability::kReliable && std::any_of(decisive.begin(), decisive.end(), keeps_all);
  qos.history = all ? History::kKeepAll : History::kKeepLast;
  qos.depth = roomy(std::max(kLeastQueue, deepest(decisive)));
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

TopicPlan make_plan(Direction direction, const Ends & ends) {
  TopicPlan plan;
  for (const EndpointInfo & source : ends.publishers) {
    const auto is_served = [&source](const EndpointInfo & subscription) {
      return serves(grade_of(source.qos), grade_of(subscription.qos));
    };
    const auto readers = std::count_if(ends.subscriptions.begin(), ends.subscriptions.end(), is_served);
    plan.publishers[source.gid] = {source, offered(direction, source, ends), static_cast<std::size_t>(readers)};
  }
  if (ends.subscriptions.empty()) {
    return plan;
  }
  std::set<Grade> asked;
  for (const EndpointInfo & subscription : ends.subscriptions) {
    asked.insert(grade_of(subscription.qos));
  }
  const std::set<Grade> grades = closed(asked);
  std::set<Grade> needed;
  for (const EndpointInfo & source : ends.publishers) {
    if (const auto grade = best(grades, grade_of(source.qos))) {
      needed.insert(*grade);
    }
  }
  if (direction == Direction::kIn && needed.empty()) {
    needed = asked;  // nobody publishes yet: they are there to be found
  }
  for (const Grade & grade : needed) {
    const auto writers = std::count_if(ends.publishers.begin(), ends.publishers.end(),
                                       [&grade](const auto & source) { return serves(grade_of(source.qos), grade); });
    plan.subscriptions[grade] = {nodes_of(ends.subscriptions), requested(direction, grade, ends),
                                 static_cast<std::size_t>(writers)};
  }
  return plan;
}

}  // namespace tandem::gateway
