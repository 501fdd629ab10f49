#include "tandem/gateway/gateway.hpp"

#include <algorithm>
#include <atomic>
#include <condition_variable>
#include <functional>
#include <mutex>
#include <string_view>
#include <utility>

#include "endpoints/endpoint_reconciler.hpp"
#include "endpoints/node_mirror.hpp"
#include "endpoints/service_reconciler.hpp"
#include "endpoints/type_registry.hpp"
#include "gateway/status.hpp"
#include "tandem/service.hpp"

namespace tandem::gateway {
namespace {

using transport::Channel;
using transport::EndpointInfo;
using transport::EndpointKind;

/// Time between two looks at the graphs.
constexpr auto kPeriod = std::chrono::milliseconds(100);
/// The same after a message that has no way on yet.
constexpr auto kShortPeriod = std::chrono::milliseconds(5);
/// While nothing changes, a look at large graphs may not take more than this part of the time; but it is not put off longer.
constexpr int kIdlePart = 20;
constexpr auto kLongestPeriod = std::chrono::seconds(1);
/// Endpoints are updated at each look for this long after a change of a graph, because some steps take time ...
constexpr auto kSettlingTime = std::chrono::seconds(15);
/// ... and at this interval afterwards.
constexpr auto kIdlePeriod = std::chrono::seconds(1);
/// How long after a graph has shown an endpoint of the gateway it may show it again.
constexpr auto kMemory = std::chrono::minutes(1);

/// What both graphs show.
struct Groups {
  std::map<std::string, TopicEndpoints> topics;
  std::map<std::string, ServiceEndpoints> services;
};

void add(const EndpointInfo & endpoint, Endpoints & endpoints) {
  (endpoint.kind == EndpointKind::kPublisher ? endpoints.publishers : endpoints.subscriptions).push_back(endpoint);
}

void add(const EndpointInfo & endpoint, Channel channel, ServiceEnds & ends) {
  const bool is_publisher = endpoint.kind == EndpointKind::kPublisher;
  if (channel == Channel::kRequest) {
    (is_publisher ? ends.clients : ends.requests).push_back(endpoint);
  } else if (is_publisher) {
    ends.replies.push_back(endpoint);
  }
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
  void group(const transport::GraphSnapshot & snapshot, Side side, Groups & groups);
  void apply(const std::string & topic, TopicEndpoints endpoints);
  void apply(const std::string & service, ServiceEndpoints endpoints);
  void look_soon();
  bool wait();

  const std::shared_ptr<transport::Context> local;
  const std::shared_ptr<transport::Context> network;
  const TopicFilter filter;
  Log log;
  TypeRegistry types{log};
  Recent<transport::Gid> own{kMemory};  ///< endpoints of the gateway that were made or seen
  bool has_local_user = false;          ///< another process of this host has a node or an endpoint
  std::size_t fingerprints = 0;         ///< of both graphs at the last look
  Clock::time_point changed_at{};       ///< when a graph changed last
  Clock::time_point updated_at{};       ///< when the endpoints were updated last
  Clock::duration period = kPeriod;     ///< until the next look
  std::mutex wake_mutex;
  std::condition_variable wake_condition;
  bool is_look_due = false;  ///< guarded by wake_mutex, as the next
  bool stopping = false;
  // Declared after what their threads use, so destroyed before it.
  mutable Forwarder out{Direction::kOut, local->create_wait_set(), [this] { look_soon(); }};
  mutable Forwarder in{Direction::kIn, network->create_wait_set(), [this] { look_soon(); }};
  EndpointReconciler out_endpoints{out, *local, *network, own, log};
  EndpointReconciler in_endpoints{in, *network, *local, own, log};
  ServiceReconciler services{out, in, *local, *network, own, log};
  NodeMirror local_nodes{*network, log};  ///< shows them on the network
  NodeMirror network_nodes{*local, log};
  std::atomic<std::size_t> local_node_count = 0;
  std::atomic<std::size_t> network_node_count = 0;
  std::atomic<Clock::time_point> last_local_user = Clock::now();
  std::atomic<std::uint64_t> looks = 0;
};

/// Adds the endpoints of a graph to their topics and services. The gateway's own endpoints are left out, and what the
/// filter does not allow.
void Gateway::Impl::group(const transport::GraphSnapshot & snapshot, Side side, Groups & groups) {
  for (const EndpointInfo & endpoint : snapshot.endpoints) {
    const Channel channel = transport::channel_of(endpoint.topic);
    const auto name = channel == Channel::kTopic ? endpoint.topic : transport::service_of(endpoint.topic);
    if (own.contains(endpoint.gid)) {
      own.note(endpoint.gid);
      continue;
    }
    if (!name || !filter.allows(*name)) {
      continue;
    }
    if (channel == Channel::kTopic) {
      TopicEndpoints & topic = groups.topics[*name];
      add(endpoint, side == Side::kLocal ? topic.local : topic.network);
    } else {
      ServiceEndpoints & service = groups.services[*name];
      add(endpoint, channel, side == Side::kLocal ? service.local : service.network);
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
  if (!out_endpoints.has(topic) && !in_endpoints.has(topic)) {
    types.forget(topic);
  }
}

void Gateway::Impl::apply(const std::string & service, ServiceEndpoints endpoints) {
  const ServiceType * type = types.choose(service, endpoints);
  services.apply(service, type, type != nullptr ? make_service_plan(endpoints) : std::nullopt);
  if (!services.has(service)) {
    types.forget_service(service);
  }
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
  const auto begin = Clock::now();
  const transport::GraphSnapshot here = local->graph();
  const transport::GraphSnapshot there = network->graph();
  period = kPeriod;
  if (is_settled(here, there)) {
    period = std::clamp<Clock::duration>(kIdlePart * (Clock::now() - begin), kPeriod, kLongestPeriod);
    return;
  }
  const NodeNames ours = network_nodes.others(here);
  const NodeNames theirs = local_nodes.others(there);
  local_nodes.show(ours);
  network_nodes.show(theirs);
  local_node_count = ours.size();
  network_node_count = theirs.size();

  Groups groups;
  group(here, Side::kLocal, groups);
  has_local_user = !ours.empty() || !groups.topics.empty() || !groups.services.empty();
  group(there, Side::kNetwork, groups);
  // What everybody has left has to be updated too.
  for (EndpointReconciler * reconciler : {&out_endpoints, &in_endpoints}) {
    for (const std::string & name : reconciler->topics()) {
      groups.topics.try_emplace(name);
    }
  }
  for (const std::string & name : services.services()) {
    groups.services.try_emplace(name);
  }
  for (auto & [name, endpoints] : groups.topics) {
    apply(name, std::move(endpoints));
  }
  for (auto & [name, endpoints] : groups.services) {
    apply(name, std::move(endpoints));
  }
}

void Gateway::Impl::look_soon() {
  const std::lock_guard lock(wake_mutex);
  is_look_due = true;
  wake_condition.notify_one();
}

/// Waits until the next look is due. A message that has no way on yet makes it due earlier.
/// \return false when the gateway stops.
bool Gateway::Impl::wait() {
  std::unique_lock lock(wake_mutex);
  wake_condition.wait_for(lock, kShortPeriod, [this] { return stopping; });  // the shortest period
  wake_condition.wait_for(lock, period - kShortPeriod, [this] { return stopping || is_look_due; });
  is_look_due = false;
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
  Status status = status_of(impl_->out, impl_->in);
  status.local_nodes = impl_->local_node_count;
  status.network_nodes = impl_->network_node_count;
  return status;
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
