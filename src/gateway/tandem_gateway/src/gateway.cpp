#include "tandem/gateway/gateway.hpp"

#include <atomic>
#include <condition_variable>
#include <functional>
#include <mutex>
#include <string_view>
#include <utility>

#include "leg.hpp"
#include "node_mirror.hpp"
#include "type_book.hpp"

namespace tandem::gateway {
namespace {

using transport::EndpointInfo;
using transport::EndpointKind;

/// Between two looks at the graphs.
constexpr auto kPeriod = std::chrono::milliseconds(100);
/// The same when a message of a stranger has come.
constexpr auto kHaste = std::chrono::milliseconds(5);
/// While graphs stay the same, endpoints are looked after less often, once all that follows from a change is over.
constexpr auto kRestless = std::chrono::seconds(15);
constexpr auto kCalmPeriod = std::chrono::seconds(1);

void add(Carried & carried, const Topic & topic, Direction direction) {
  const Counts counts = total(topic, direction);
  carried = {counts.messages, counts.bytes, counts.lost, counts.copied, topic.outlets.size(), topic.inlets.size(), 0};
  for (const auto & [gid, outlet] : topic.outlets) {
    carried.readers += outlet.publisher ? outlet.publisher->subscription_count() : 0;
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

struct Gateway::Body {
  Body(std::shared_ptr<transport::Context> local_context, std::shared_ptr<transport::Context> network_context,
       TopicFilter topics)
      : local(std::move(local_context)), network(std::move(network_context)), filter(std::move(topics)) {}

  void look();
  bool is_calm(const transport::GraphSnapshot & here, const transport::GraphSnapshot & there);
  void sort(const transport::GraphSnapshot & snapshot, Ends BothEnds::*side, std::map<std::string, BothEnds> & topics);
  void apply(const std::string & topic, BothEnds ends);
  void notice_stranger();
  bool wait();

  const std::shared_ptr<transport::Context> local;
  const std::shared_ptr<transport::Context> network;
  const TopicFilter filter;
  Log log;
  TypeBook types{log};
  std::set<transport::Gid> own;
  bool has_company = false;          ///< somebody is on this host
  std::size_t graphs = 0;            ///< as looked at last
  Clock::time_point changed{};       ///< when they did
  Clock::time_point looked_after{};  ///< when endpoints were
  std::mutex nudge_mutex;
  std::condition_variable nudge;
  bool has_stranger = false;  ///< guarded by nudge_mutex, as the next
  bool stopping = false;
  // Ended first, so that they use nothing that has gone.
  mutable Pump out{Direction::kOut, local->create_wait_set(), [this] { notice_stranger(); }};
  mutable Pump in{Direction::kIn, network->create_wait_set(), [this] { notice_stranger(); }};
  Leg out_leg{out, *local, *network, own, log};
  Leg in_leg{in, *network, *local, own, log};
  NodeMirror local_nodes{*network, log};  ///< shown there
  NodeMirror network_nodes{*local, log};
  std::atomic<std::size_t> local_node_count{0};
  std::atomic<std::size_t> network_node_count{0};
  std::atomic<Clock::time_point> last_company{Clock::now()};
  std::atomic<std::uint64_t> looks{0};
};

/// Endpoints of others, by topic. Topics that are not to be carried are left out.
void Gateway::Body::sort(const transport::GraphSnapshot & snapshot, Ends BothEnds::*side,
                         std::map<std::string, BothEnds> & topics) {
  for (const EndpointInfo & endpoint : snapshot.endpoints) {
    if (!own.contains(endpoint.gid) && filter.allows(endpoint.topic)) {
      Ends & ends = topics[endpoint.topic].*side;
      (endpoint.kind == EndpointKind::kPublisher ? ends.publishers : ends.subscriptions).push_back(endpoint);
    }
  }
}

void Gateway::Body::apply(const std::string & topic, BothEnds ends) {
  const MessageType * type = types.choose(topic, ends);
  TopicPlan outward;
  TopicPlan inward;
  if (type != nullptr) {
    outward = make_plan(Direction::kOut, {ends.local.publishers, ends.network.subscriptions});
    inward = make_plan(Direction::kIn, {ends.network.publishers, ends.local.subscriptions});
    outward.refused = ends.refused;
    inward.refused = std::move(ends.refused);
  }
  out_leg.apply(topic, type, std::move(outward));
  in_leg.apply(topic, type, std::move(inward));
}

/// Whether nothing has to be done at this look.
bool Gateway::Body::is_calm(const transport::GraphSnapshot & here, const transport::GraphSnapshot & there) {
  const auto now = Clock::now();
  const std::size_t present = fingerprint(here) * 31 + fingerprint(there);
  if (std::exchange(graphs, present) != present) {
    changed = now;
  }
  if (now - changed > kRestless && now - looked_after < kCalmPeriod) {
    return true;
  }
  looked_after = now;
  return false;
}

void Gateway::Body::look() {
  const transport::GraphSnapshot here = local->graph();
  const transport::GraphSnapshot there = network->graph();
  if (is_calm(here, there)) {
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
  has_company = !ours.empty() || !topics.empty();
  sort(there, &BothEnds::network, topics);
  for (Leg * leg : {&out_leg, &in_leg}) {
    for (const std::string & name : leg->topics()) {
      topics.try_emplace(name);  // also those that everybody has left
    }
  }
  for (auto & [name, ends] : topics) {
    apply(name, std::move(ends));
    if (!out_leg.has(name) && !in_leg.has(name)) {
      types.forget(name);
    }
  }
}

void Gateway::Body::notice_stranger() {
  const std::lock_guard lock(nudge_mutex);
  has_stranger = true;
  nudge.notify_one();
}

/// Until it is time to look again; earlier for a message of somebody whom no graph has shown yet.
/// \return false when it is time to end.
bool Gateway::Body::wait() {
  std::unique_lock lock(nudge_mutex);
  nudge.wait_for(lock, kHaste, [this] { return stopping; });  // not faster, whoever asks
  nudge.wait_for(lock, kPeriod - kHaste, [this] { return stopping || has_stranger; });
  has_stranger = false;
  return !stopping;
}

Gateway::Gateway(std::shared_ptr<transport::Context> local, std::shared_ptr<transport::Context> network,
                 TopicFilter filter)
    : body_(std::make_unique<Body>(std::move(local), std::move(network), std::move(filter))) {}

Gateway::~Gateway() = default;

void Gateway::run() {
  do {
    body_->look();
    if (body_->has_company) {
      body_->last_company = Clock::now();
    }
    ++body_->looks;
  } while (body_->wait());
}

void Gateway::stop() {
  const std::lock_guard lock(body_->nudge_mutex);
  body_->stopping = true;
  body_->nudge.notify_one();
}

Status Gateway::status() const {
  std::map<std::string, TopicStatus> topics;
  for (auto * pump : {&body_->out, &body_->in}) {
    const std::lock_guard lock(pump->mutex());
    for (const auto & [name, topic] : pump->topics()) {
      TopicStatus & status = topics[name];
      status.topic = name;
      status.type = topic.type != nullptr ? topic.type->name : "";
      add(pump->direction() == Direction::kOut ? status.out : status.in, topic, pump->direction());
    }
  }
  Status result;
  for (auto & [name, status] : topics) {
    result.topics.push_back(std::move(status));
  }
  result.local_nodes = body_->local_node_count;
  result.network_nodes = body_->network_node_count;
  return result;
}

void Gateway::wait_for_look() const {
  const std::uint64_t begin = body_->looks;
  const auto is_stopping = [this] {
    const std::lock_guard lock(body_->nudge_mutex);
    return body_->stopping;
  };
  while (body_->looks < begin + 2 && !is_stopping()) {  // one may be under way
    std::this_thread::sleep_for(kPeriod / 4);
  }
}

std::chrono::steady_clock::duration Gateway::alone() const { return Clock::now() - body_->last_company.load(); }

}  // namespace tandem::gateway
