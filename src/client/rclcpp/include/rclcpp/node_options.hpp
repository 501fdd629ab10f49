// How a node is made.
#ifndef RCLCPP__NODE_OPTIONS_HPP_
#define RCLCPP__NODE_OPTIONS_HPP_

#include <string>
#include <vector>

#include "rcl/allocator.h"
#include "rclcpp/contexts/default_context.hpp"
#include "rclcpp/parameter.hpp"
#include "rclcpp/publisher_options.hpp"
#include "rclcpp/qos.hpp"
#include "rclcpp/time.hpp"
#include "rclcpp/visibility_control.hpp"

namespace rclcpp {

/// Setters return *this. Options without effect are accepted for compatibility and say so.
class RCLCPP_PUBLIC NodeOptions {
 public:
  explicit NodeOptions(rcl_allocator_t allocator = rcl_get_default_allocator());
  virtual ~NodeOptions();
  NodeOptions(const NodeOptions &);
  NodeOptions & operator=(const NodeOptions &);

  Context::SharedPtr context() const;
  NodeOptions & context(Context::SharedPtr value);

  /// Arguments of this node alone, as on a command line: {"--ros-args", "-r", "a:=b"}. They go before the global ones.
  const std::vector<std::string> & arguments() const { return arguments_; }
  NodeOptions & arguments(const std::vector<std::string> & value);

  /// Whether the process's arguments apply to this node.
  bool use_global_arguments() const { return use_global_arguments_; }
  NodeOptions & use_global_arguments(bool value);

  rcl_clock_type_t clock_type() const { return clock_type_; }
  NodeOptions & clock_type(rcl_clock_type_t value);
  /// Of the subscription of /clock. See time_source.hpp, also for the thread.
  const QoS & clock_qos() const { return clock_qos_; }
  NodeOptions & clock_qos(const QoS & value);
  bool use_clock_thread() const { return use_clock_thread_; }
  NodeOptions & use_clock_thread(bool value);

  /// No effect: within a process nothing is copied either way.
  bool use_intra_process_comms() const { return use_intra_process_comms_; }
  NodeOptions & use_intra_process_comms(bool value);

  /// Whether the node's log lines are published on /rosout.
  bool enable_rosout() const { return enable_rosout_; }
  NodeOptions & enable_rosout(bool value);
  const QoS & rosout_qos() const { return rosout_qos_; }
  NodeOptions & rosout_qos(const QoS & value);

  /// No effect yet.
  bool enable_topic_statistics() const { return enable_topic_statistics_; }
  NodeOptions & enable_topic_statistics(bool value);

  /// Whether others can see and set the levels of this process's loggers: ~/get_logger_levels, ~/set_logger_levels.
  bool enable_logger_service() const { return enable_logger_service_; }
  NodeOptions & enable_logger_service(bool value);

  /// Values for parameters that will be declared. They go before those of the command line.
  const std::vector<Parameter> & parameter_overrides() const { return parameter_overrides_; }
  std::vector<Parameter> & parameter_overrides() { return parameter_overrides_; }
  NodeOptions & parameter_overrides(const std::vector<Parameter> & value);
  template <class T>
  NodeOptions & append_parameter_override(const std::string & name, const T & value) {
    return append_parameter_override(name, ParameterValue(value));
  }
  NodeOptions & append_parameter_override(const std::string & name, const ParameterValue & value);

  /// Whether others can see and set the parameters: ~/get_parameters, ~/set_parameters and their like.
  bool start_parameter_services() const { return start_parameter_services_; }
  NodeOptions & start_parameter_services(bool value);
  /// Whether changes are published on /parameter_events.
  bool start_parameter_event_publisher() const { return start_parameter_event_publisher_; }
  NodeOptions & start_parameter_event_publisher(bool value);
  /// Of the publisher on /parameter_events.
  const PublisherOptionsBase & parameter_event_publisher_options() const { return parameter_event_publisher_options_; }
  NodeOptions & parameter_event_publisher_options(const PublisherOptionsBase & value);
  const QoS & parameter_event_qos() const { return parameter_event_qos_; }
  NodeOptions & parameter_event_qos(const QoS & value);
  /// Setting a parameter that was not declared declares it; getting it gives nothing instead of an exception.
  bool allow_undeclared_parameters() const { return allow_undeclared_parameters_; }
  NodeOptions & allow_undeclared_parameters(bool value);
  /// All overrides are declared when the node is made, typed dynamically.
  bool automatically_declare_parameters_from_overrides() const { return automatically_declare_parameters_; }
  NodeOptions & automatically_declare_parameters_from_overrides(bool value);

  /// No effect: messages come from the process's message heap.
  const rcl_allocator_t & allocator() const { return allocator_; }
  NodeOptions & allocator(rcl_allocator_t value);

 private:
  Context::SharedPtr context_;
  std::vector<std::string> arguments_;
  rcl_clock_type_t clock_type_ = RCL_ROS_TIME;
  QoS clock_qos_ = ClockQoS();
  bool use_clock_thread_ = true;
  bool use_global_arguments_ = true;
  bool use_intra_process_comms_ = false;
  bool enable_rosout_ = true;
  QoS rosout_qos_ = RosoutQoS();
  bool enable_topic_statistics_ = false;
  bool start_parameter_services_ = true;
  bool start_parameter_event_publisher_ = true;
  bool enable_logger_service_ = false;
  QoS parameter_event_qos_ = ParameterEventsQoS();
  PublisherOptionsBase parameter_event_publisher_options_;
  std::vector<Parameter> parameter_overrides_;
  bool allow_undeclared_parameters_ = false;
  bool automatically_declare_parameters_ = false;
  rcl_allocator_t allocator_;
};

}  // namespace rclcpp

#endif  // RCLCPP__NODE_OPTIONS_HPP_
