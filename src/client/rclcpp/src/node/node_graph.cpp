// What a node sees of the graph.
//
// The transports list the graph but tell of no change. So who waits for a change compares the graph with what it was
// before, ten times a second, by a fingerprint that does not depend on the order. Nobody looks while nobody waits.
#include <algorithm>
#include <functional>

#include "qos/qos_conversion.hpp"
#include "rclcpp/detail/names.hpp"
#include "rclcpp/exceptions.hpp"
#include "rclcpp/node_interfaces/node_graph_interface.hpp"

namespace rclcpp::node_interfaces {
namespace {

using tandem::transport::EndpointKind;
using tandem::transport::NodeName;

constexpr std::chrono::milliseconds kInterval{100};

bool is_of_service(const std::string & topic) { return topic.rfind("rq/", 0) == 0 || topic.rfind("rr/", 0) == 0; }

std::string full_name(const NodeName & node) { return detail::NodePath{node.name_space, node.name}.full(); }

void add_type(NodeGraphInterface::NamesAndTypes & names, const tandem::transport::EndpointInfo & endpoint) {
  auto & types = names[endpoint.topic];
  if (std::find(types.begin(), types.end(), endpoint.type_name) == types.end()) types.push_back(endpoint.type_name);
}

}  // namespace

NodeGraphInterface::NodeGraphInterface(NodeBaseInterface::SharedPtr base) : base_(std::move(base)) {}

NodeGraphInterface::NamesAndTypes NodeGraphInterface::get_topic_names_and_types(bool no_demangle) const {
  NamesAndTypes topics;
  for (const auto & endpoint : base_->transport()->graph().endpoints) {
    if (no_demangle || !is_of_service(endpoint.topic)) add_type(topics, endpoint);
  }
  return topics;
}

NodeGraphInterface::NamesAndTypes NodeGraphInterface::names_of(const std::string & node_name,
                                                               const std::string & namespace_, EndpointKind kind,
                                                               bool no_demangle) const {
  const std::string wanted_namespace = namespace_.empty() ? "/" : namespace_;
  const auto is_wanted = [&](const NodeName & node) {
    return node.name == node_name && node.name_space == wanted_namespace;
  };
  const auto graph = base_->transport()->graph();
  if (std::none_of(graph.nodes.begin(), graph.nodes.end(), is_wanted)) {
    throw exceptions::RCLError(RCL_RET_NODE_NAME_NON_EXISTENT,
                               "there is no node '" + node_name + "' in the namespace '" + namespace_ + "'");
  }
  NamesAndTypes topics;
  for (const auto & endpoint : graph.endpoints) {
    if (endpoint.kind != kind || !is_wanted(endpoint.node)) continue;
    if (no_demangle || !is_of_service(endpoint.topic)) add_type(topics, endpoint);
  }
  return topics;
}

NodeGraphInterface::NamesAndTypes NodeGraphInterface::get_publisher_names_and_types_by_node(
    const std::string & node_name, const std::string & namespace_, bool no_demangle) const {
  return names_of(node_name, namespace_, EndpointKind::kPublisher, no_demangle);
}

NodeGraphInterface::NamesAndTypes NodeGraphInterface::get_subscriber_names_and_types_by_node(
    const std::string & node_name, const std::string & namespace_, bool no_demangle) const {
  return names_of(node_name, namespace_, EndpointKind::kSubscription, no_demangle);
}

std::vector<std::string> NodeGraphInterface::get_node_names() const {
  std::vector<std::string> names;
  for (const auto & node : base_->transport()->graph().nodes) names.push_back(full_name(node));
  return names;
}

std::vector<std::tuple<std::string, std::string, std::string>> NodeGraphInterface::get_node_names_with_enclaves()
    const {
  std::vector<std::tuple<std::string, std::string, std::string>> names;
  for (const auto & node : base_->transport()->graph().nodes) names.emplace_back(node.name, node.name_space, "/");
  return names;
}

std::vector<std::pair<std::string, std::string>> NodeGraphInterface::get_node_names_and_namespaces() const {
  std::vector<std::pair<std::string, std::string>> names;
  for (const auto & node : base_->transport()->graph().nodes) names.emplace_back(node.name, node.name_space);
  return names;
}

std::vector<TopicEndpointInfo> NodeGraphInterface::endpoints(const std::string & topic_name, EndpointKind kind,
                                                             bool no_mangle) const {
  const std::string topic = no_mangle ? topic_name : base_->resolve_topic_name(topic_name);
  std::vector<TopicEndpointInfo> result;
  for (const auto & endpoint : base_->transport()->graph().endpoints) {
    if (endpoint.topic != topic || endpoint.kind != kind) continue;
    const auto type = kind == EndpointKind::kPublisher ? EndpointType::Publisher : EndpointType::Subscription;
    result.emplace_back(endpoint.node.name, endpoint.node.name_space, endpoint.type_name, endpoint.type_hash, type,
                        endpoint.gid, detail::from_transport(endpoint.qos));
  }
  return result;
}

size_t NodeGraphInterface::count_publishers(const std::string & topic_name) const {
  return endpoints(topic_name, EndpointKind::kPublisher, false).size();
}

size_t NodeGraphInterface::count_subscribers(const std::string & topic_name) const {
  return endpoints(topic_name, EndpointKind::kSubscription, false).size();
}

std::vector<TopicEndpointInfo> NodeGraphInterface::get_publishers_info_by_topic(const std::string & topic_name,
                                                                                bool no_mangle) const {
  return endpoints(topic_name, EndpointKind::kPublisher, no_mangle);
}

std::vector<TopicEndpointInfo> NodeGraphInterface::get_subscriptions_info_by_topic(const std::string & topic_name,
                                                                                   bool no_mangle) const {
  return endpoints(topic_name, EndpointKind::kSubscription, no_mangle);
}

// ---- changes -------------------------------------------------------------------------------------------------------

std::uint64_t NodeGraphInterface::fingerprint() const {
  const std::hash<std::string> hash;
  const auto graph = base_->transport()->graph();
  std::uint64_t sum = 0;
  for (const auto & node : graph.nodes) sum += hash(full_name(node));
  for (const auto & endpoint : graph.endpoints) {
    const std::string gid(endpoint.gid.begin(), endpoint.gid.end());
    const char * kind = endpoint.kind == EndpointKind::kPublisher ? "p" : "s";
    sum += hash(kind + endpoint.topic + "\n" + full_name(endpoint.node) + "\n" + gid);
  }
  return sum;
}

Event::SharedPtr NodeGraphInterface::get_graph_event() {
  auto event = std::make_shared<Event>();
  const std::uint64_t now = fingerprint();
  const std::lock_guard<std::mutex> lock(mutex_);
  const auto is_gone = [](const Event::WeakPtr & weak) { return weak.expired(); };
  events_.erase(std::remove_if(events_.begin(), events_.end(), is_gone), events_.end());
  if (now != last_fingerprint_) {  // those who asked before are behind
    for (const auto & weak : events_) {
      if (const auto other = weak.lock()) other->set();
    }
    last_fingerprint_ = now;
  }
  events_.push_back(event);
  return event;
}

void NodeGraphInterface::wait_for_graph_change(Event::SharedPtr event, std::chrono::nanoseconds timeout) {
  using std::chrono::steady_clock;
  if (!event) throw exceptions::InvalidEventError();
  std::unique_lock<std::mutex> lock(mutex_);
  const auto is_it = [&](const Event::WeakPtr & weak) { return weak.lock() == event; };
  if (std::none_of(events_.begin(), events_.end(), is_it)) throw exceptions::EventNotRegisteredError();
  const auto begin = steady_clock::now();
  const auto context = base_->get_context();
  while (!event->check() && context->is_valid()) {
    lock.unlock();
    const std::uint64_t now = fingerprint();
    lock.lock();
    if (now != last_fingerprint_) {
      last_fingerprint_ = now;
      lock.unlock();
      notify_graph_change();
      return;
    }
    std::chrono::nanoseconds rest = kInterval;
    if (timeout.count() >= 0) rest = std::min(rest, timeout - (steady_clock::now() - begin));
    if (rest.count() <= 0) return;
    changed_.wait_for(lock, rest);
  }
}

void NodeGraphInterface::notify_graph_change() {
  {
    const std::lock_guard<std::mutex> lock(mutex_);
    for (const auto & weak : events_) {
      if (const auto event = weak.lock()) event->set();
    }
  }
  changed_.notify_all();
}

size_t NodeGraphInterface::count_graph_users() const {
  const std::lock_guard<std::mutex> lock(mutex_);
  const auto is_kept = [](const Event::WeakPtr & weak) { return !weak.expired(); };
  return static_cast<size_t>(std::count_if(events_.begin(), events_.end(), is_kept));
}

}  // namespace rclcpp::node_interfaces
