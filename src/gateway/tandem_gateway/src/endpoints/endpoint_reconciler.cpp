#include "endpoints/endpoint_reconciler.hpp"

#include <algorithm>
#include <utility>

#include "endpoints/topic_update.hpp"

namespace tandem::gateway {
namespace {

using transport::Durability;
using transport::History;
using transport::Qos;

/// How long a publisher may be without a node's name when its messages are waiting already.
constexpr auto kShortNodeNameTimeout = std::chrono::milliseconds(50);
/// How long the readers of a replaced publisher have to take what is left of it.
constexpr auto kReplacementDelay = std::chrono::milliseconds(50);
/// How long a publisher whose messages have arrived may be missing in the graph, until a proxy is created without it.
constexpr auto kDiscoveryTimeout = std::chrono::milliseconds(300);

/// Whether an endpoint with the QoS `present` keeps less than `wanted`.
bool keeps_less(const Qos & present, const Qos & wanted) {
  return (wanted.history == History::kKeepAll && present.history == History::kKeepLast) ||
         (present.history == History::kKeepLast && wanted.depth > present.depth);
}

/// Whether a gateway that is started again would bring messages twice, unless it tells whose they are. With a lifespan it does
/// not: the stamps are of the other host's clock.
bool repeats_itself(const Qos & qos) {
  return qos.durability == Durability::kTransientLocal && qos.lifespan == transport::kInfinite;
}

}  // namespace

bool EndpointReconciler::has(const std::string & name) {
  const std::lock_guard lock(forwarder_.mutex());
  return forwarder_.topics().contains(name);
}

std::set<std::string> EndpointReconciler::topics() {
  std::set<std::string> names;
  const std::lock_guard lock(forwarder_.mutex());
  for (const auto & [name, topic] : forwarder_.topics()) {
    names.insert(name);
  }
  return names;
}

void EndpointReconciler::apply(const std::string & name, const MessageType * type, TopicPlan plan) {
  Garbage garbage;
  if (type != nullptr) {
    add_unknown_publishers(name, plan);
  }
  for (const auto & [gid, publisher] : plan.publishers) {
    create_publisher(name, *type, publisher, garbage);
  }
  if (is_wanted(name)) {
    for (const auto & [grade, subscription] : plan.subscriptions) {
      create_subscription(name, *type, subscription, garbage);
    }
  }
  update(name, plan, garbage);
  show_subscriptions(name, type, std::move(plan));
  if (std::exchange(has_changed_, false)) {
    forwarder_.wake();
  }
}

/// Plans proxies for publishers that no graph has shown. A publisher may come, publish and go between two looks at the
/// graph; its messages have arrived nevertheless.
void EndpointReconciler::add_unknown_publishers(const std::string & name, TopicPlan & plan) {
  const std::lock_guard lock(forwarder_.mutex());
  const auto found = forwarder_.topics().find(name);
  if (found == forwarder_.topics().end()) {
    return;
  }
  for (const auto & [gid, proxy] : found->second.proxies) {
    if (proxy.publisher || proxy.queue.empty() || Clock::now() - proxy.created < kDiscoveryTimeout ||
        plan.refused.contains(gid)) {
      continue;
    }
    PublisherPlan unknown;
    unknown.source.gid = gid;
    unknown.source.node = {kUnknownNamespace, kUnknownNode};
    unknown.source.qos.reliability = proxy.queue.front().grade.reliability;
    unknown.source.qos.depth = static_cast<std::uint32_t>(proxy.queue.size());
    unknown.qos = unknown.source.qos;
    unknown.qos.max_blocking_time = std::chrono::nanoseconds(0);
    for (const auto & [other, planned] : plan.publishers) {
      unknown.readers = std::max(unknown.readers, planned.readers);
    }
    plan.publishers.try_emplace(gid, unknown);
  }
}

/// Whether the publisher of a proxy is missing, or the present one has to be replaced.
bool EndpointReconciler::needs_publisher(const std::string & name, const PublisherPlan & plan) {
  const transport::Gid & gid = plan.source.gid;
  // On this host a volatile publisher is replaced without loss, because its readers drain the old one. A
  // transient-local one is not replaced: late joiners would miss its history.
  const bool is_replaceable =
      forwarder_.direction() == Direction::kIn && plan.source.qos.durability == Durability::kVolatile;
  const bool is_named = !is_unknown(plan.source.node);
  {
    const std::lock_guard lock(forwarder_.mutex());
    const auto topic = forwarder_.topics().find(name);
    if (topic != forwarder_.topics().end() && topic->second.proxies.contains(gid)) {
      Proxy & proxy = topic->second.proxies.at(gid);
      proxy.missing_since.reset();
      if (proxy.publisher) {
        return is_replaceable && (keeps_less(proxy.qos, plan.qos) || (is_named && is_unknown(proxy.node)));
      }
      if (is_replaceable && Clock::now() - proxy.created > kShortNodeNameTimeout) {
        return true;  // its messages are waiting; a publisher with the node's name replaces it later
      }
    }
  }
  return names_.is_over(plan.source);
}

void EndpointReconciler::create_publisher(const std::string & name, const MessageType & type,
                                          const PublisherPlan & plan, Garbage & garbage) {
  const transport::Gid & gid = plan.source.gid;
  if (!needs_publisher(name, plan)) {
    return;
  }
  names_.forget(gid);
  attempt("publisher", name, [&] {
    transport::TopicOptions options{.node = plan.source.node, .topic = name, .qos = plan.qos};
    const auto source_timestamp = repeats_itself(plan.qos) ? std::make_shared<std::int64_t>(0) : nullptr;
    if (source_timestamp) {
      const bool is_passed_on = plan.source.origin != transport::Gid{};
      options.origin = {is_passed_on ? plan.source.origin : gid, [source_timestamp] { return *source_timestamp; }};
    }
    auto created = to_.create_publisher(type, options);
    own_.note(created->gid());
    const std::lock_guard lock(forwarder_.mutex());
    Topic & topic = forwarder_.topics()[name];
    topic.type = &type;
    Proxy & proxy = topic.proxies[gid];
    if (proxy.publisher) {
      topic.removed_counts.copied += forwarder_.direction() == Direction::kIn ? proxy.publisher->copied() : 0;
      garbage.push_back(std::move(proxy.publisher));
      proxy.not_open_before = Clock::now() + kReplacementDelay;
    }
    proxy.publisher = std::move(created);
    proxy.source_timestamp = source_timestamp;
    proxy.qos = plan.qos;
    proxy.source_qos = plan.source.qos;
    proxy.node = plan.source.node;
    proxy.is_open = false;
    proxy.created = Clock::now();
  });
}

/// Whether the subscription is missing, keeps too little, or bears the name of a node that has left.
bool EndpointReconciler::needs_subscription(const std::string & name, const SubscriptionPlan & plan) {
  const std::lock_guard lock(forwarder_.mutex());
  const auto topic = forwarder_.topics().find(name);
  if (topic == forwarder_.topics().end()) {
    return true;
  }
  const auto found = topic->second.subscriptions.find(grade_of(plan.qos));
  if (found == topic->second.subscriptions.end()) {
    return true;
  }
  found->second.missing_since.reset();
  const GatewaySubscription & newest = found->second.successor ? *found->second.successor : found->second;
  const bool has_present_name = std::any_of(plan.nodes.begin(), plan.nodes.end(), [&newest](const auto & node) {
    return node.name_space == newest.node.name_space && node.name == newest.node.name;
  });
  return keeps_less(newest.qos, plan.qos) || !has_present_name;
}

void EndpointReconciler::create_subscription(const std::string & name, const MessageType & type,
                                             const SubscriptionPlan & plan, Garbage & garbage) {
  if (!needs_subscription(name, plan)) {
    return;
  }
  attempt("subscription", name, [&] {
    GatewaySubscription created;
    created.qos = plan.qos;
    created.node = plan.nodes.front();
    created.expected_writers = plan.writers;
    created.endpoint = from_.create_subscription(
        type, {.node = created.node, .topic = name, .qos = plan.qos, .ignore_local_publications = true});
    own_.note(created.endpoint->gid());
    const std::lock_guard lock(forwarder_.mutex());
    Topic & topic = forwarder_.topics()[name];
    topic.type = &type;
    created.number = ++topic.last_subscription;
    GatewaySubscription & present = topic.subscriptions[grade_of(plan.qos)];
    if (!present.endpoint) {
      present = std::move(created);
      return;
    }
    if (present.successor) {
      garbage.push_back(std::move(present.successor->endpoint));
    }
    present.successor = std::make_unique<GatewaySubscription>(std::move(created));
  });
}

void EndpointReconciler::attempt(const std::string & kind, const std::string & name,
                                 const std::function<void()> & create) {
  const char * where = forwarder_.direction() == Direction::kIn ? "this host" : "the network";
  has_changed_ = attempts_.run(kind, "topic '" + name + "'", where, create) || has_changed_;
}

/// Updates the endpoints that are there already. Forgets the topic when none is left.
void EndpointReconciler::update(const std::string & name, const TopicPlan & plan, Garbage & garbage) {
  const std::lock_guard lock(forwarder_.mutex());
  const auto found = forwarder_.topics().find(name);
  if (found == forwarder_.topics().end()) {
    return;
  }
  Topic & topic = found->second;
  update_expected_matches(topic, plan);
  remove_unplanned(topic, plan, forwarder_.direction(), garbage);
  has_changed_ = choose_subscriptions(topic, forwarder_.direction()) || has_changed_;
  replace_subscriptions(topic, garbage);
  if (topic.proxies.empty() && topic.subscriptions.empty()) {
    forwarder_.topics().erase(found);
  }
}

/// Shows who is behind the gateway's subscriptions. Not before these have matched: a publisher that counts its subscriptions
/// shall not begin while there are only such as are shown.
void EndpointReconciler::show_subscriptions(const std::string & name, const MessageType * type, TopicPlan plan) {
  std::vector<ShownSubscription> carriers;
  bool may_add = false;
  {
    const std::lock_guard lock(forwarder_.mutex());
    const auto topic = forwarder_.topics().find(name);
    if (topic != forwarder_.topics().end()) {
      carriers = shown_by(topic->second);
      may_add = have_all_matched(topic->second);
    }
  }
  if (carriers.empty() || type == nullptr) {
    mirror_.forget(name);
    return;
  }
  const auto lacking = mirror_.keep_only(name, not_shown_by(carriers, std::move(plan.represented)));
  if (may_add) {
    mirror_.add(name, *type, lacking);
  }
}

/// Whether messages of the topic have to be taken. Those of this host are taken only while somebody on the network
/// subscribes.
bool EndpointReconciler::is_wanted(const std::string & name) {
  if (forwarder_.direction() == Direction::kIn) {
    return true;
  }
  const std::lock_guard lock(forwarder_.mutex());
  const auto found = forwarder_.topics().find(name);
  return found != forwarder_.topics().end() && has_readers(found->second);
}

}  // namespace tandem::gateway
