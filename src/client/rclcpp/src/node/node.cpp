// Nodes: construction and sub-nodes.
#include "rclcpp/node.hpp"

#include "parameters/parameter_services.hpp"
#include "rclcpp/detail/names.hpp"
#include "rclcpp/exceptions.hpp"
#include "rclcpp/time_source.hpp"

namespace rclcpp {
namespace {

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

namespace detail {

NodeParts::NodeParts(const std::string & node_name, const std::string & namespace_, const NodeOptions & options)
    : options_(options),
      node_base_(std::make_shared<node_interfaces::NodeBase>(node_name, namespace_, options)),
      node_timers_(std::make_shared<node_interfaces::NodeTimers>(node_base_)),
      node_topics_(std::make_shared<node_interfaces::NodeTopics>(node_base_, node_timers_)),
      node_services_(std::make_shared<node_interfaces::NodeServices>(node_base_)),
      node_waitables_(std::make_shared<node_interfaces::NodeWaitables>(node_base_)),
      node_graph_(std::make_shared<node_interfaces::NodeGraph>(node_base_)),
      node_logging_(std::make_shared<node_interfaces::NodeLogging>(*node_topics_, options)),
      node_clock_(std::make_shared<node_interfaces::NodeClock>(std::make_shared<Clock>(options.clock_type()))),
      node_parameters_(
          std::make_shared<node_interfaces::NodeParameters>(*node_topics_, node_clock_->get_clock(), options)),
      time_source_(std::make_shared<TimeSource>(options.clock_qos(), options.use_clock_thread())),
      node_time_source_(std::make_shared<node_interfaces::NodeTimeSource>()),
      node_type_descriptions_(std::make_shared<node_interfaces::NodeTypeDescriptions>(
          node_base_, node_logging_, node_parameters_, node_services_)) {
  time_source_->attachClock(get_clock());
  time_source_->attachNode(node_topics_, node_parameters_);
  if (options.start_parameter_services()) {
    parameter_services_ = make_parameter_services(node_services_, node_parameters_);
  }
  if (options.enable_logger_service()) node_logging_->create_logger_services(node_services_);
}

NodeParts::NodeParts(const NodeParts & other, std::string sub_namespace)
    : options_(other.options_),
      node_base_(other.node_base_),
      node_timers_(other.node_timers_),
      node_topics_(other.node_topics_),
      node_services_(other.node_services_),
      node_waitables_(other.node_waitables_),
      node_graph_(other.node_graph_),
      node_logging_(other.node_logging_),
      node_clock_(other.node_clock_),
      node_parameters_(other.node_parameters_),
      parameter_services_(other.parameter_services_),
      time_source_(other.time_source_),
      node_time_source_(other.node_time_source_),
      node_type_descriptions_(other.node_type_descriptions_),
      sub_namespace_(std::move(sub_namespace)) {}

NodeParts::~NodeParts() = default;

std::string NodeParts::with_sub_namespace(const std::string & name) const {
  const bool relative = !name.empty() && name[0] != '/' && name[0] != '~';
  return relative && !sub_namespace_.empty() ? sub_namespace_ + "/" + name : name;
}

}  // namespace detail

Node::Node(const std::string & node_name, const NodeOptions & options) : Node(node_name, "", options) {}

Node::Node(const std::string & node_name, const std::string & namespace_, const NodeOptions & options)
    : NodeParts(node_name, namespace_, options), effective_namespace_(get_namespace()) {}

Node::Node(const Node & other, const std::string & sub_namespace)
    : NodeParts(other, other.sub_namespace().empty()
                           ? checked_sub_namespace(sub_namespace)
                           : other.sub_namespace() + "/" + checked_sub_namespace(sub_namespace)),
      effective_namespace_(joined(get_namespace(), get_sub_namespace())) {}

Node::~Node() = default;

Node::SharedPtr Node::create_sub_node(const std::string & sub_namespace) {
  return SharedPtr(new Node(*this, sub_namespace));
}

}  // namespace rclcpp
