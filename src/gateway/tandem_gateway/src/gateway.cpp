#include "tandem/gateway/gateway.hpp"

#include <atomic>
#include <condition_variable>
#include <functional>
#include <mutex>
#include <string_view>
#include <utility>

#include "endpoint_reconciler.hpp"
#include "node_mirror.hpp"
#include "type_registry.hpp"

namespace tandem::gateway {
namespace {

using transport::EndpointInfo;
using transport::EndpointKind;

/// Between two looks at the graphs.
constexpr auto kPeriod = std::chrono::milliseconds(100);
/// The same when a message of a publisher has come that no graph has shown.
constexpr auto kShortPeriod = std::chrono::milliseconds(5);
/// While graphs stay the same, endpoints are looked after less often, once all that follows from a change is over.
constexpr auto kChangeAftermath = std::chrono::seconds(15);
constexpr auto kIdlePeriod = std::chrono::seconds(1);

void add(Carried & carried, const Topic & topic, Direction direction) {
  const Counts counts = total(topic, direction);
  carried = {counts.messages, counts.bytes, counts.lost, counts.copied, topic.outputs.size(), topic.inputs.size(), 0};
  for (const auto & [gid, output] : topic.outputs) {
    carried.readers += output.publisher ? output.publisher->subscription_count() : 0;
  }
}

std::size_t mixed(std::size_t sum, std::string_view text) {
  return (sum ^ std::hash<std::string_view>{}(text)) * 0x9e3779b97f4a7c15U;
}

/// Another number for another graph. An endpoint's gid stands for all of it but its node, which may be told later.
std::size_t fingerprint(const transport::GraphSnapshot & snapshot) {
  std::size_t sum = snapshot.nodes.size();
  for (const transport::NodeName & node : snapshot.nodes) {
    sum = mixed(mixed(sum, node.name_space), node.name);
  }
  for (const EndpointInfo & endpoint : snapshot.endpoints) {
    sum = mixed(sum, {reinterpret_cast<const char *>(endpoint.gid.data()), endpoint.gid.size()});
    sum = mixed(mixed(sum, endpoint.node.name_space), endpoint.node.name);
  }
  return sum;
}

}  // namespace

struct Gateway::Impl {
  Impl(std::shared_ptr<transport::Context> local_context, std::shared_ptr<transport::Context> network_context,
       TopicFilter topics)
      : local(std::move(local_context)), network(std::move(network_context)), filter(std::move(topics)) {}

  void look();
  bool is_unchanged(const transport::GraphSnapshot & here, const transport::GraphSnapshot & there);
  void sort(const transport::GraphSnapshot & snapshot, Ends BothEnds::*side, std::map<std::string, BothEnds> & topics);
  void apply(const std::string & topic, BothEnds ends);
  void notice_unknown_publisher();
  bool wait();

  const std::shared_ptr<transport::Context> local;
  const std::shared_ptr<transport::Context> network;
  const TopicFilter filter;
  Log log;
  TypeRegistry types{log};
  std::set<transport::Gid> own;
  bool has_local_user = false;       ///< somebody is on this host
  std::size_t graphs = 0;            ///< as looked at last
  Clock::time_point changed{};       ///< when they did
  Clock::time_point looked_after{};  ///< when endpoints were
  std::mutex wake_mutex;
  std::condition_variable wake_condition;
  bool has_unknown_publisher = false;  ///< guarded by wake_mutex, as the next
  bool stopping = false;
  // Ended first, so that they use nothing that has gone.
  mutable Forwarder out{Direction::kOut, local->create_wait_set(), [this] { notice_unknown_publisher(); }};
  mutable Forwarder in{Direction::kIn, network->create_wait_set(), [this] { notice_unknown_publisher(); }};
  EndpointReconciler out_endpoints{out, *local, *network, own, log};
  EndpointReconciler in_endpoints{in, *network, *local, own, log};
  NodeMirror local_nodes{*network, log};  ///< shown there
  NodeMirror network_nodes{*local, log};
  std::atomic<std::size_t> local_node_count = 0;
  std::atomic<std::size_t> network_node_count = 0;
  std::atomic<Clock::time_point> last_local_user = Clock::now();
  std::atomic<std::uint64_t> looks = 0;
};

/// Endpoints of others, by topic. Topics that are not to be carried are left out.
void Gateway::Impl::sort(const transport::GraphSnapshot & snapshot, Ends BothEnds::*side,
                         std::map<std::string, BothEnds> & topics) {
  for (const EndpointInfo & endpoint : snapshot.endpoints) {
    if (!own.contains(endpoint.gid) && filter.allows(endpoint.topic)) {
      Ends & ends = topics[endpoint.topic].*side;
      (endpoint.kind == EndpointKind::kPublisher ? ends.publishers : ends.subscriptions).push_back(endpoint);
    }
  }
}

void Gateway::Impl::apply(const std::string & topic, BothEnds ends) {
  const MessageType * type = types.choose(topic, ends);
  TopicPlan outward;
  TopicPlan inward;
  if (type != nullptr) {
    outward = make_plan(Direction::kOut, {ends.local.publishers, ends.network.subscriptions});
    inward = make_plan(Direction::kIn, {ends.network.publishers, ends.local.subscriptions});
    outward.refused = ends.refused;
    inward.refused = std::move(ends.refused);
  }
  out_endpoints.apply(topic, type, std::move(outward));
  in_endpoints.apply(topic, type, std::move(inward));
}

/// Whether nothing has to be done at this look.
bool Gateway::Impl::is_unchanged(const transport::GraphSnapshot & here, const transport::GraphSnapshot & there) {
  const auto now = Clock::now();
  const std::size_t present = fingerprint(here) * 31 + fingerprint(there);
  if (std::exchange(graphs, present) != present) {
    changed = now;
  }
  if (now - changed > kChangeAftermath && now - looked_after < kIdlePeriod) {
    return true;
  }
  looked_after = now;
  return false;
}

void Gateway::Impl::look() {
  const transport::GraphSnapshot here = local->graph();
  const transport::GraphSnapshot there = network->graph();
  if (is_unchanged(here, there)) {
    return;
  }
  const NodeNames ours = network_nodes.others(here);
  const NodeNames theirs = local_nodes.others(there);
  local_nodes.show(ours);
  network_nodes.show(theirs);
  local_node_count = ours.size();
  network_node_count = theirs.size();

  std::map<std::string, BothEnds> topics;
  sort(here, &BothEnds::local, topics);
  has_local_user = !ours.empty() || !topics.empty();
  sort(there, &BothEnds::network, topics);
  for (EndpointReconciler * reconciler : {&out_endpoints, &in_endpoints}) {
    for (const std::string & name : reconciler->topics()) {
      topics.try_emplace(name);  // also those that everybody has left
    }
  }
  for (auto & [name, ends] : topics) {
    apply(name, std::move(ends));
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

/// Until it is time to look again; earlier for a message of somebody whom no graph has shown yet.
/// \return false when it is time to end.
bool Gateway::Impl::wait() {
  std::unique_lock lock(wake_mutex);
  wake_condition.wait_for(lock, kShortPeriod, [this] { return stopping; });  // not faster, whoever asks
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
      add(forwarder->direction() == Direction::kOut ? status.out : status.in, topic, forwarder->direction());
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
  while (impl_->looks < begin + 2 && !is_stopping()) {  // one may be under way
    std::this_thread::sleep_for(kPeriod / 4);
  }
}

std::chrono::steady_clock::duration Gateway::alone() const { return Clock::now() - impl_->last_local_user.load(); }

}  // namespace tandem::gateway
