#include "tandem/gateway/gateway.hpp"

#include <atomic>
#include <condition_variable>
#include <functional>
#include <mutex>
#include <string_view>
#include <utility>

#include "endpoint_reconciler.hpp"
#include "node_mirror.hpp"
#include "tandem/service.hpp"
#include "type_registry.hpp"

namespace tandem::gateway {
namespace {

using transport::EndpointInfo;
using transport::EndpointKind;

/// Time between two looks at the graphs.
constexpr auto kPeriod = std::chrono::milliseconds(100);
/// The same after a message of a publisher that no graph has shown.
constexpr auto kShortPeriod = std::chrono::milliseconds(5);
/// Endpoints are updated at each look for this long after a change of a graph, because some steps take time ...
constexpr auto kSettlingTime = std::chrono::seconds(15);
/// ... and at this interval afterwards.
constexpr auto kIdlePeriod = std::chrono::seconds(1);

Carried carried_by(const Topic & topic, Direction direction) {
  const Counts counts = total(topic, direction);
  Carried carried{
      counts.messages, counts.bytes, counts.lost, counts.copied, topic.proxies.size(), topic.subscriptions.size(), 0};
  for (const auto & [gid, proxy] : topic.proxies) {
    carried.readers += proxy.publisher ? proxy.publisher->subscription_count() : 0;
  }
  return carried;
}

std::size_t combine(std::size_t sum, std::string_view text) {
  return (sum ^ std::hash<std::string_view>{}(text)) * 0x9e3779b97f4a7c15U;
}

/// A hash of the graph. An endpoint's gid stands for all its properties but its node, which may become known later.
std::size_t fingerprint(const transport::GraphSnapshot & snapshot) {
  std::size_t sum = snapshot.nodes.size();
  for (const transport::NodeName & node : snapshot.nodes) {
    sum = combine(combine(sum, node.name_space), node.name);
  }
  for (const EndpointInfo & endpoint : snapshot.endpoints) {
    sum = combine(sum, {reinterpret_cast<const char *>(endpoint.gid.data()), endpoint.gid.size()});
    sum = combine(combine(sum, endpoint.node.name_space), endpoint.node.name);
  }
  return sum;
}

}  // namespace

struct Gateway::Impl {
  Impl(std::shared_ptr<transport::Context> local_context, std::shared_ptr<transport::Context> network_context,
       TopicFilter topics)
      : local(std::move(local_context)), network(std::move(network_context)), filter(std::move(topics)) {}

  void look();
  bool is_settled(const transport::GraphSnapshot & here, const transport::GraphSnapshot & there);
  void group_by_topic(const transport::GraphSnapshot & snapshot, Endpoints TopicEndpoints::*side,
                      std::map<std::string, TopicEndpoints> & topics);
  void apply(const std::string & topic, TopicEndpoints endpoints);
  void notice_unknown_publisher();
  bool wait();

  const std::shared_ptr<transport::Context> local;
  const std::shared_ptr<transport::Context> network;
  const TopicFilter filter;
  Log log;
  TypeRegistry types{log};
  std::set<transport::Gid> own;
  bool has_local_user = false;     ///< another process of this host has a node or an endpoint
  std::size_t fingerprints = 0;    ///< of both graphs at the last look
  Clock::time_point changed_at{};  ///< when a graph changed last
  Clock::time_point updated_at{};  ///< when the endpoints were updated last
  std::mutex wake_mutex;
  std::condition_variable wake_condition;
  bool has_unknown_publisher = false;  ///< guarded by wake_mutex, as the next
  bool stopping = false;
  // Declared after what their threads use, so destroyed before it.
  mutable Forwarder out{Direction::kOut, local->create_wait_set(), [this] { notice_unknown_publisher(); }};
  mutable Forwarder in{Direction::kIn, network->create_wait_set(), [this] { notice_unknown_publisher(); }};
  EndpointReconciler out_endpoints{out, *local, *network, own, log};
  EndpointReconciler in_endpoints{in, *network, *local, own, log};
  NodeMirror local_nodes{*network, log};  ///< shows them on the network
  NodeMirror network_nodes{*local, log};
  std::atomic<std::size_t> local_node_count = 0;
  std::atomic<std::size_t> network_node_count = 0;
  std::atomic<Clock::time_point> last_local_user = Clock::now();
  std::atomic<std::uint64_t> looks = 0;
};

/// Adds the endpoints of a graph to their topics. The gateway's own endpoints are left out, and topics that the filter
/// does not allow, and the channels of services, which it does not carry.
void Gateway::Impl::group_by_topic(const transport::GraphSnapshot & snapshot, Endpoints TopicEndpoints::*side,
                                   std::map<std::string, TopicEndpoints> & topics) {
  for (const EndpointInfo & endpoint : snapshot.endpoints) {
    const bool is_topic = transport::channel_of(endpoint.topic) == transport::Channel::kTopic;
    if (is_topic && !own.contains(endpoint.gid) && filter.allows(endpoint.topic)) {
      Endpoints & endpoints = topics[endpoint.topic].*side;
      (endpoint.kind == EndpointKind::kPublisher ? endpoints.publishers : endpoints.subscriptions).push_back(endpoint);
    }
  }
}

void Gateway::Impl::apply(const std::string & topic, TopicEndpoints endpoints) {
  const MessageType * type = types.choose(topic, endpoints);
  TopicPlan outward;
  TopicPlan inward;
  if (type != nullptr) {
    outward = make_plan(Direction::kOut, {endpoints.local.publishers, endpoints.network.subscriptions});
    inward = make_plan(Direction::kIn, {endpoints.network.publishers, endpoints.local.subscriptions});
    outward.refused = endpoints.refused;
    inward.refused = std::move(endpoints.refused);
  }
  out_endpoints.apply(topic, type, std::move(outward));
  in_endpoints.apply(topic, type, std::move(inward));
}

/// Whether this look needs no update of endpoints.
bool Gateway::Impl::is_settled(const transport::GraphSnapshot & here, const transport::GraphSnapshot & there) {
  const auto now = Clock::now();
  const std::size_t present = fingerprint(here) * 31 + fingerprint(there);
  if (std::exchange(fingerprints, present) != present) {
    changed_at = now;
  }
  if (now - changed_at > kSettlingTime && now - updated_at < kIdlePeriod) {
    return true;
  }
  updated_at = now;
  return false;
}

void Gateway::Impl::look() {
  const transport::GraphSnapshot here = local->graph();
  const transport::GraphSnapshot there = network->graph();
  if (is_settled(here, there)) {
    return;
  }
  const NodeNames ours = network_nodes.others(here);
  const NodeNames theirs = local_nodes.others(there);
  local_nodes.show(ours);
  network_nodes.show(theirs);
  local_node_count = ours.size();
  network_node_count = theirs.size();

  std::map<std::string, TopicEndpoints> topics;
  group_by_topic(here, &TopicEndpoints::local, topics);
  has_local_user = !ours.empty() || !topics.empty();
  group_by_topic(there, &TopicEndpoints::network, topics);
  for (EndpointReconciler * reconciler : {&out_endpoints, &in_endpoints}) {
    for (const std::string & name : reconciler->topics()) {
      topics.try_emplace(name);  // a topic that everybody has left has to be updated too
    }
  }
  for (auto & [name, endpoints] : topics) {
    apply(name, std::move(endpoints));
    if (!out_endpoints.has(name) && !in_endpoints.has(name)) {
      types.forget(name);
    }
  }
}

void Gateway::Impl::notice_unknown_publisher() {
  const std::lock_guard lock(wake_mutex);
  has_unknown_publisher = true;
  wake_condition.notify_one();
}

/// Waits until the next look is due. A message of an unknown publisher makes it due earlier.
/// \return false when the gateway stops.
bool Gateway::Impl::wait() {
  std::unique_lock lock(wake_mutex);
  wake_condition.wait_for(lock, kShortPeriod, [this] { return stopping; });  // the shortest period
  wake_condition.wait_for(lock, kPeriod - kShortPeriod, [this] { return stopping || has_unknown_publisher; });
  has_unknown_publisher = false;
  return !stopping;
}

Gateway::Gateway(std::shared_ptr<transport::Context> local, std::shared_ptr<transport::Context> network,
                 TopicFilter filter)
    : impl_(std::make_unique<Impl>(std::move(local), std::move(network), std::move(filter))) {}

Gateway::~Gateway() = default;

void Gateway::run() {
  do {
    impl_->look();
    if (impl_->has_local_user) {
      impl_->last_local_user = Clock::now();
    }
    ++impl_->looks;
  } while (impl_->wait());
}

void Gateway::stop() {
  const std::lock_guard lock(impl_->wake_mutex);
  impl_->stopping = true;
  impl_->wake_condition.notify_one();
}

Status Gateway::status() const {
  std::map<std::string, TopicStatus> topics;
  for (auto * forwarder : {&impl_->out, &impl_->in}) {
    const std::lock_guard lock(forwarder->mutex());
    for (const auto & [name, topic] : forwarder->topics()) {
      TopicStatus & status = topics[name];
      status.topic = name;
      status.type = topic.type != nullptr ? topic.type->name : "";
      const Direction direction = forwarder->direction();
      (direction == Direction::kOut ? status.out : status.in) = carried_by(topic, direction);
    }
  }
  Status result;
  for (auto & [name, status] : topics) {
    result.topics.push_back(std::move(status));
  }
  result.local_nodes = impl_->local_node_count;
  result.network_nodes = impl_->network_node_count;
  return result;
}

void Gateway::wait_for_look() const {
  const std::uint64_t begin = impl_->looks;
  const auto is_stopping = [this] {
    const std::lock_guard lock(impl_->wake_mutex);
    return impl_->stopping;
  };
  while (impl_->looks < begin + 2 && !is_stopping()) {  // a look that is under way now may end with the old graphs
    std::this_thread::sleep_for(kPeriod / 4);
  }
}

std::chrono::steady_clock::duration Gateway::alone() const { return Clock::now() - impl_->last_local_user.load(); }

}  // namespace tandem::gateway
