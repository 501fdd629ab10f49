// The calls of nodes that are passed on to their parts.
#include "rclcpp/detail/node_parts.hpp"

#include <utility>

namespace rclcpp::detail {

CallbackGroup::SharedPtr NodeParts::create_callback_group(CallbackGroupType group_type,
                                                          bool automatically_add_to_executor_with_node) {
  return node_base_->create_callback_group(group_type, automatically_add_to_executor_with_node);
}

void NodeParts::for_each_callback_group(const std::function<void(CallbackGroup::SharedPtr)> & function) {
  node_base_->for_each_callback_group(function);
}

GenericClient::SharedPtr NodeParts::create_generic_client(const std::string & service_name,
                                                          const std::string & service_type, const QoS & qos,
                                                          CallbackGroup::SharedPtr group) {
  return rclcpp::create_generic_client(node_services_, with_sub_namespace(service_name), service_type, qos,
                                       std::move(group));
}

const ParameterValue & NodeParts::declare_parameter(const std::string & name, const ParameterValue & default_value,
                                                    const ParameterDescriptor & descriptor, bool ignore_override) {
  return node_parameters_->declare_parameter(name, default_value, descriptor, ignore_override);
}

const ParameterValue & NodeParts::declare_parameter(const std::string & name, ParameterType type,
                                                    const ParameterDescriptor & descriptor, bool ignore_override) {
  return node_parameters_->declare_parameter(name, type, descriptor, ignore_override);
}

void NodeParts::undeclare_parameter(const std::string & name) { node_parameters_->undeclare_parameter(name); }

bool NodeParts::has_parameter(const std::string & name) const { return node_parameters_->has_parameter(name); }

rcl_interfaces::msg::SetParametersResult NodeParts::set_parameter(const Parameter & parameter) {
  return set_parameters_atomically({parameter});
}

std::vector<rcl_interfaces::msg::SetParametersResult> NodeParts::set_parameters(
    const std::vector<Parameter> & parameters) {
  return node_parameters_->set_parameters(parameters);
}

rcl_interfaces::msg::SetParametersResult NodeParts::set_parameters_atomically(
    const std::vector<Parameter> & parameters) {
  return node_parameters_->set_parameters_atomically(parameters);
}

Parameter NodeParts::get_parameter(const std::string & name) const { return node_parameters_->get_parameter(name); }

bool NodeParts::get_parameter(const std::string & name, Parameter & parameter) const {
  return node_parameters_->get_parameter(name, parameter);
}

std::vector<Parameter> NodeParts::get_parameters(const std::vector<std::string> & names) const {
  return node_parameters_->get_parameters(names);
}

NodeParts::ParameterDescriptor NodeParts::describe_parameter(const std::string & name) const {
  return describe_parameters({name})[0];
}

std::vector<NodeParts::ParameterDescriptor> NodeParts::describe_parameters(
    const std::vector<std::string> & names) const {
  return node_parameters_->describe_parameters(names);
}

std::vector<std::uint8_t> NodeParts::get_parameter_types(const std::vector<std::string> & names) const {
  return node_parameters_->get_parameter_types(names);
}

rcl_interfaces::msg::ListParametersResult NodeParts::list_parameters(const std::vector<std::string> & prefixes,
                                                                     std::uint64_t depth) const {
  return node_parameters_->list_parameters(prefixes, depth);
}

NodeParts::PreSetParametersCallbackHandle::SharedPtr NodeParts::add_pre_set_parameters_callback(
    PreSetParametersCallbackType callback) {
  return node_parameters_->add_pre_set_parameters_callback(std::move(callback));
}

NodeParts::OnSetParametersCallbackHandle::SharedPtr NodeParts::add_on_set_parameters_callback(
    OnSetParametersCallbackType callback) {
  return node_parameters_->add_on_set_parameters_callback(std::move(callback));
}

NodeParts::PostSetParametersCallbackHandle::SharedPtr NodeParts::add_post_set_parameters_callback(
    PostSetParametersCallbackType callback) {
  return node_parameters_->add_post_set_parameters_callback(std::move(callback));
}

void NodeParts::remove_pre_set_parameters_callback(const PreSetParametersCallbackHandle * handle) {
  node_parameters_->remove_pre_set_parameters_callback(handle);
}

void NodeParts::remove_on_set_parameters_callback(const OnSetParametersCallbackHandle * handle) {
  node_parameters_->remove_on_set_parameters_callback(handle);
}

void NodeParts::remove_post_set_parameters_callback(const PostSetParametersCallbackHandle * handle) {
  node_parameters_->remove_post_set_parameters_callback(handle);
}

std::vector<std::string> NodeParts::get_node_names() const { return node_graph_->get_node_names(); }

std::map<std::string, std::vector<std::string>> NodeParts::get_topic_names_and_types(bool no_demangle) const {
  return node_graph_->get_topic_names_and_types(no_demangle);
}

std::map<std::string, std::vector<std::string>> NodeParts::get_service_names_and_types() const {
  return node_graph_->get_service_names_and_types();
}

std::map<std::string, std::vector<std::string>> NodeParts::get_service_names_and_types_by_node(
    const std::string & node_name, const std::string & namespace_) const {
  return node_graph_->get_service_names_and_types_by_node(node_name, namespace_);
}

size_t NodeParts::count_publishers(const std::string & topic_name) const {
  return node_graph_->count_publishers(with_sub_namespace(topic_name));
}

size_t NodeParts::count_subscribers(const std::string & topic_name) const {
  return node_graph_->count_subscribers(with_sub_namespace(topic_name));
}

size_t NodeParts::count_clients(const std::string & service_name) const {
  return node_graph_->count_clients(with_sub_namespace(service_name));
}

size_t NodeParts::count_services(const std::string & service_name) const {
  return node_graph_->count_services(with_sub_namespace(service_name));
}

std::vector<TopicEndpointInfo> NodeParts::get_publishers_info_by_topic(const std::string & topic_name,
                                                                       bool no_mangle) const {
  return node_graph_->get_publishers_info_by_topic(with_sub_namespace(topic_name), no_mangle);
}

std::vector<TopicEndpointInfo> NodeParts::get_subscriptions_info_by_topic(const std::string & topic_name,
                                                                          bool no_mangle) const {
  return node_graph_->get_subscriptions_info_by_topic(with_sub_namespace(topic_name), no_mangle);
}

Event::SharedPtr NodeParts::get_graph_event() { return node_graph_->get_graph_event(); }

void NodeParts::wait_for_graph_change(Event::SharedPtr event, std::chrono::nanoseconds timeout) {
  node_graph_->wait_for_graph_change(std::move(event), timeout);
}

}  // namespace rclcpp::detail
