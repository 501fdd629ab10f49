// What a node is made with.
#include "rclcpp/node_options.hpp"

#include <utility>

namespace rclcpp {

NodeOptions::NodeOptions(rcl_allocator_t allocator) : allocator_(allocator) {}
NodeOptions::~NodeOptions() = default;
NodeOptions::NodeOptions(const NodeOptions &) = default;
NodeOptions & NodeOptions::operator=(const NodeOptions &) = default;

Context::SharedPtr NodeOptions::context() const { return context_ ? context_ : contexts::get_global_default_context(); }

NodeOptions & NodeOptions::append_parameter_override(const std::string & name, const ParameterValue & value) {
  parameter_overrides_.emplace_back(name, value);
  return *this;
}

NodeOptions & NodeOptions::context(Context::SharedPtr value) {
  context_ = std::move(value);
  return *this;
}

NodeOptions & NodeOptions::arguments(const std::vector<std::string> & value) {
  arguments_ = value;
  return *this;
}

NodeOptions & NodeOptions::use_global_arguments(bool value) {
  use_global_arguments_ = value;
  return *this;
}

NodeOptions & NodeOptions::clock_type(rcl_clock_type_t value) {
  clock_type_ = value;
  return *this;
}

NodeOptions & NodeOptions::clock_qos(const QoS & value) {
  clock_qos_ = value;
  return *this;
}

NodeOptions & NodeOptions::use_clock_thread(bool value) {
  use_clock_thread_ = value;
  return *this;
}

NodeOptions & NodeOptions::use_intra_process_comms(bool value) {
  use_intra_process_comms_ = value;
  return *this;
}

NodeOptions & NodeOptions::enable_rosout(bool value) {
  enable_rosout_ = value;
  return *this;
}

NodeOptions & NodeOptions::rosout_qos(const QoS & value) {
  rosout_qos_ = value;
  return *this;
}

NodeOptions & NodeOptions::enable_topic_statistics(bool value) {
  enable_topic_statistics_ = value;
  return *this;
}

NodeOptions & NodeOptions::enable_logger_service(bool value) {
  enable_logger_service_ = value;
  return *this;
}

NodeOptions & NodeOptions::parameter_overrides(const std::vector<Parameter> & value) {
  parameter_overrides_ = value;
  return *this;
}

NodeOptions & NodeOptions::start_parameter_services(bool value) {
  start_parameter_services_ = value;
  return *this;
}

NodeOptions & NodeOptions::start_parameter_event_publisher(bool value) {
  start_parameter_event_publisher_ = value;
  return *this;
}

NodeOptions & NodeOptions::parameter_event_publisher_options(const PublisherOptionsBase & value) {
  parameter_event_publisher_options_ = value;
  return *this;
}

NodeOptions & NodeOptions::parameter_event_qos(const QoS & value) {
  parameter_event_qos_ = value;
  return *this;
}

NodeOptions & NodeOptions::allow_undeclared_parameters(bool value) {
  allow_undeclared_parameters_ = value;
  return *this;
}

NodeOptions & NodeOptions::automatically_declare_parameters_from_overrides(bool value) {
  automatically_declare_parameters_ = value;
  return *this;
}

NodeOptions & NodeOptions::allocator(rcl_allocator_t value) {
  allocator_ = value;
  return *this;
}

}  // namespace rclcpp
