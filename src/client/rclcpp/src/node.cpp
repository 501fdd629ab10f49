// Node: construction, the graph, sub-nodes.
#include "rclcpp/node.hpp"

#include <algorithm>

#include "names.hpp"
#include "parameter_services.hpp"
#include "qos_conversion.hpp"
#include "rclcpp/exceptions.hpp"
#include "rclcpp/time_source.hpp"

namespace rclcpp {
namespace {

using tandem::transport::EndpointKind;

std::string joined(const std::string & name_space, const std::string & sub_namespace) {
  if (sub_namespace.empty()) return name_space;
  return (name_space == "/" ? "/" : name_space + "/") + sub_namespace;
}

const std::string & checked_sub_namespace(const std::string & extension) {
  if (extension.empty())
    throw exceptions::NameValidationError("sub_namespace", "",
                                          "sub-nodes should not extend nodes by an empty sub-namespace", 0);
  if (extension[0] == '/') {
    throw exceptions::NameValidationError("sub_namespace", extension.c_str(),
                                          "a sub-namespace should not have a leading /", 0);
  }
  detail::require_namespace("/" + extension);
  return extension;
}

}  // namespace

Node::Node(const std::string & node_name, const NodeOptions & options) : Node(node_name, "", options) {}

Node::Node(const std::string & node_name, const std::string & namespace_, const NodeOptions & options)
    : options_(options),
      node_base_(std::make_shared<node_interfaces::NodeBaseInterface>(node_name, namespace_, options)),
      node_logging_(std::make_shared<node_interfaces::NodeLoggingInterface>(*node_base_, options)),
      clock_(std::make_shared<Clock>(options.clock_type())),
      node_parameters_(std::make_shared<node_interfaces::NodeParametersInterface>(node_base_, clock_, options)),
      time_source_(std::make_shared<TimeSource>(options.clock_qos(), options.use_clock_thread())),
      effective_namespace_(node_base_->get_namespace()) {
  time_source_->attachClock(clock_);
  time_source_->attachNode(node_base_, node_parameters_);
  if (options.start_parameter_services()) {
    parameter_services_ = detail::make_parameter_services(node_base_, node_parameters_);
  }
}

Node::Node(const Node & other, const std::string & sub_namespace)
    : options_(other.options_),
      node_base_(other.node_base_),
      node_logging_(other.node_logging_),
      clock_(other.clock_),
      node_parameters_(other.node_parameters_),
      parameter_services_(other.parameter_services_),
      time_source_(other.time_source_),
      sub_namespace_(other.sub_namespace_.empty() ? checked_sub_namespace(sub_namespace)
                                                  : other.sub_namespace_ + "/" + checked_sub_namespace(sub_namespace)),
      effective_namespace_(joined(node_base_->get_namespace(), sub_namespace_)) {}

Node::~Node() = default;

Node::SharedPtr Node::create_sub_node(const std::string & sub_namespace) {
  return SharedPtr(new Node(*this, sub_namespace));
}

std::string Node::with_sub_namespace(const std::string & name) const {
  const bool relative = !name.empty() && name[0] != '/' && name[0] != '~';
  return relative && !sub_namespace_.empty() ? sub_namespace_ + "/" + name : name;
}

detail::PublisherSetup Node::open_publisher(const tandem::MessageType & type, const std::string & topic,
                                            const QoS & qos, const PublisherOptionsBase & options) const {
  return node_base_->open_publisher(type, with_sub_namespace(topic), qos, options);
}

detail::SubscriptionSetup Node::open_subscription(const tandem::MessageType & type, const std::string & topic,
                                                  const QoS & qos, const SubscriptionOptionsBase & options) const {
  return node_base_->open_subscription(type, with_sub_namespace(topic), qos, options);
}

detail::ClientSetup Node::open_client(const tandem::ServiceType & type, const std::string & service, const QoS & qos,
                                      const CallbackGroup::SharedPtr & group) const {
  return node_base_->open_client(type, with_sub_namespace(service), qos, group);
}

detail::ServiceSetup Node::open_service(const tandem::ServiceType & type, const std::string & service, const QoS & qos,
                                        const CallbackGroup::SharedPtr & group) const {
  return node_base_->open_service(type, with_sub_namespace(service), qos, group);
}

std::vector<std::string> Node::get_node_names() const {
  std::vector<std::string> names;
  for (const auto & node : node_base_->graph().nodes) {
    names.push_back(detail::NodePath{node.name_space, node.name}.full());
  }
  return names;
}

std::map<std::string, std::vector<std::string>> Node::get_topic_names_and_types() const {
  std::map<std::string, std::vector<std::string>> topics;
  for (const auto & endpoint : node_base_->graph().endpoints) {
    auto & types = topics[endpoint.topic];
    if (std::find(types.begin(), types.end(), endpoint.type_name) == types.end()) types.push_back(endpoint.type_name);
  }
  return topics;
}

std::vector<TopicEndpointInfo> Node::endpoints(const std::string & topic_name, EndpointKind kind) const {
  const std::string topic = node_base_->resolve_topic_name(with_sub_namespace(topic_name));
  std::vector<TopicEndpointInfo> result;
  for (const auto & endpoint : node_base_->graph().endpoints) {
    if (endpoint.topic != topic || endpoint.kind != kind) continue;
    const auto type = kind == EndpointKind::kPublisher ? EndpointType::Publisher : EndpointType::Subscription;
    result.emplace_back(endpoint.node.name, endpoint.node.name_space, endpoint.type_name, endpoint.type_hash, type,
                        endpoint.gid, detail::from_transport(endpoint.qos));
  }
  return result;
}

size_t Node::count_publishers(const std::string & topic_name) const {
  return endpoints(topic_name, EndpointKind::kPublisher).size();
}

size_t Node::count_subscribers(const std::string & topic_name) const {
  return endpoints(topic_name, EndpointKind::kSubscription).size();
}

std::vector<TopicEndpointInfo> Node::get_publishers_info_by_topic(const std::string & topic_name, bool) const {
  return endpoints(topic_name, EndpointKind::kPublisher);
}

std::vector<TopicEndpointInfo> Node::get_subscriptions_info_by_topic(const std::string & topic_name, bool) const {
  return endpoints(topic_name, EndpointKind::kSubscription);
}

}  // namespace rclcpp
