// What nodes of every kind have: the parts that they consist of, and the calls on them.
#ifndef RCLCPP__DETAIL__NODE_PARTS_HPP_
#define RCLCPP__DETAIL__NODE_PARTS_HPP_

#include <cxxabi.h>  // NOLINT: packages written for rclcpp count on these

#include <algorithm>  // NOLINT
#include <cassert>    // NOLINT
#include <chrono>
#include <cstdlib>   // NOLINT
#include <cstring>   // NOLINT
#include <iostream>  // NOLINT
#include <map>
#include <memory>
#include <mutex>    // NOLINT
#include <numeric>  // NOLINT
#include <sstream>  // NOLINT
#include <string>
#include <thread>  // NOLINT
#include <utility>
#include <vector>

#include "rclcpp/callback_group.hpp"
#include "rclcpp/clock.hpp"
#include "rclcpp/create_client.hpp"
#include "rclcpp/create_generic_client.hpp"
#include "rclcpp/create_generic_publisher.hpp"
#include "rclcpp/create_generic_service.hpp"
#include "rclcpp/create_generic_subscription.hpp"
#include "rclcpp/create_publisher.hpp"
#include "rclcpp/create_service.hpp"
#include "rclcpp/create_subscription.hpp"
#include "rclcpp/create_timer.hpp"
#include "rclcpp/event.hpp"
#include "rclcpp/logger.hpp"
#include "rclcpp/logging.hpp"
#include "rclcpp/macros.hpp"
#include "rclcpp/node_interfaces/node_base_interface.hpp"
#include "rclcpp/node_interfaces/node_clock_interface.hpp"
#include "rclcpp/node_interfaces/node_graph_interface.hpp"
#include "rclcpp/node_interfaces/node_logging_interface.hpp"
#include "rclcpp/node_interfaces/node_parameters_interface.hpp"
#include "rclcpp/node_interfaces/node_services_interface.hpp"
#include "rclcpp/node_interfaces/node_time_source_interface.hpp"
#include "rclcpp/node_interfaces/node_timers_interface.hpp"
#include "rclcpp/node_interfaces/node_topics_interface.hpp"
#include "rclcpp/node_interfaces/node_type_descriptions_interface.hpp"
#include "rclcpp/node_interfaces/node_waitables_interface.hpp"
#include "rclcpp/node_options.hpp"
#include "rclcpp/parameter.hpp"
#include "rclcpp/publisher.hpp"
#include "rclcpp/publisher_hbmem.hpp"
#include "rclcpp/qos.hpp"
#include "rclcpp/subscription.hpp"
#include "rclcpp/subscription_hbmem.hpp"
#include "rclcpp/timer.hpp"
#include "rclcpp/topic_endpoint_info.hpp"
#include "rclcpp/utilities.hpp"  // packages written for rclcpp count on init() being here
#include "rclcpp/visibility_control.hpp"

namespace rclcpp {

class TimeSource;

namespace detail {

/// Base of Node and of other kinds of nodes, which share no other base: what takes one does not take the others.
/// Thread-safe. Creating endpoints throws exceptions::InvalidTopicNameError, RCLInvalidArgument for a QoS that is not
/// supported, and RCLError when the middleware refuses.
class RCLCPP_PUBLIC NodeParts {
 public:
  const char * get_name() const { return node_base_->get_name(); }
  const char * get_namespace() const { return node_base_->get_namespace(); }
  const char * get_fully_qualified_name() const { return node_base_->get_fully_qualified_name(); }
  Logger get_logger() const { return node_logging_->get_logger(); }
  Clock::SharedPtr get_clock() { return node_clock_->get_clock(); }
  Clock::ConstSharedPtr get_clock() const { return node_clock_->get_clock(); }
  Time now() const { return get_clock()->now(); }

  CallbackGroup::SharedPtr create_callback_group(CallbackGroupType group_type,
                                                 bool automatically_add_to_executor_with_node = true);
  void for_each_callback_group(const std::function<void(CallbackGroup::SharedPtr)> & function);

  template <class MessageT, class AllocatorT = std::allocator<void>, class PublisherT = Publisher<MessageT, AllocatorT>>
  std::shared_ptr<PublisherT> create_publisher(
      const std::string & topic_name, const QoS & qos,
      const PublisherOptionsWithAllocator<AllocatorT> & options = PublisherOptionsWithAllocator<AllocatorT>()) {
    return rclcpp::create_publisher<MessageT, AllocatorT, PublisherT>(*this, with_sub_namespace(topic_name), qos,
                                                                      options);
  }

  /// The callback's forms: any_subscription_callback.hpp. The memory strategy is ignored.
  template <class MessageT, class CallbackT, class AllocatorT = std::allocator<void>,
            class SubscriptionT = Subscription<MessageT, AllocatorT>>
  std::shared_ptr<SubscriptionT> create_subscription(
      const std::string & topic_name, const QoS & qos, CallbackT && callback,
      const SubscriptionOptionsWithAllocator<AllocatorT> & options = SubscriptionOptionsWithAllocator<AllocatorT>(),
      const std::shared_ptr<const void> & /*memory_strategy*/ = nullptr) {
    return rclcpp::create_subscription<MessageT, CallbackT, AllocatorT, SubscriptionT>(
        *this, with_sub_namespace(topic_name), qos, std::forward<CallbackT>(callback), options);
  }

  template <class MessageT, class AllocatorT = std::allocator<void>,
            class PublisherT = PublisherHbmem<MessageT, AllocatorT>>
  std::shared_ptr<PublisherT> create_publisher_hbmem(
      const std::string & topic_name, const QoS & qos,
      const PublisherOptionsWithAllocator<AllocatorT> & options = PublisherOptionsWithAllocator<AllocatorT>()) {
    return create_publisher<MessageT, AllocatorT, PublisherT>(topic_name, qos, options);
  }

  template <class MessageT, class CallbackT, class AllocatorT = std::allocator<void>,
            class SubscriptionT = SubscriptionHbmem<MessageT, AllocatorT>>
  std::shared_ptr<SubscriptionT> create_subscription_hbmem(
      const std::string & topic_name, const QoS & qos, CallbackT && callback,
      const SubscriptionOptionsWithAllocator<AllocatorT> & options = SubscriptionOptionsWithAllocator<AllocatorT>()) {
    return create_subscription<MessageT, CallbackT, AllocatorT, SubscriptionT>(
        topic_name, qos, std::forward<CallbackT>(callback), options);
  }

  /// Messages as CDR, of a type by its name: create_generic_publisher.hpp, create_generic_subscription.hpp.
  template <class AllocatorT = std::allocator<void>>
  std::shared_ptr<GenericPublisher> create_generic_publisher(
      const std::string & topic_name, const std::string & topic_type, const QoS & qos,
      const PublisherOptionsWithAllocator<AllocatorT> & options = PublisherOptionsWithAllocator<AllocatorT>()) {
    return rclcpp::create_generic_publisher(node_topics_, with_sub_namespace(topic_name), topic_type, qos, options);
  }
  template <class CallbackT, class AllocatorT = std::allocator<void>>
  std::shared_ptr<GenericSubscription> create_generic_subscription(
      const std::string & topic_name, const std::string & topic_type, const QoS & qos, CallbackT && callback,
      const SubscriptionOptionsWithAllocator<AllocatorT> & options = SubscriptionOptionsWithAllocator<AllocatorT>()) {
    return rclcpp::create_generic_subscription(node_topics_, with_sub_namespace(topic_name), topic_type, qos,
                                               std::forward<CallbackT>(callback), options);
  }

  template <class ServiceT>
  typename Client<ServiceT>::SharedPtr create_client(const std::string & service_name, const QoS & qos = ServicesQoS(),
                                                     CallbackGroup::SharedPtr group = nullptr) {
    return rclcpp::create_client<ServiceT>(node_services_, with_sub_namespace(service_name), qos, std::move(group));
  }
  template <class ServiceT>
  typename Client<ServiceT>::SharedPtr create_client(const std::string & service_name,
                                                     const rmw_qos_profile_t & qos_profile,
                                                     CallbackGroup::SharedPtr group = nullptr) {
    return create_client<ServiceT>(service_name, QoS(QoSInitialization::from_rmw(qos_profile), qos_profile),
                                   std::move(group));
  }

  /// The callback's forms: any_service_callback.hpp.
  template <class ServiceT, class CallbackT>
  typename Service<ServiceT>::SharedPtr create_service(const std::string & service_name, CallbackT && callback,
                                                       const QoS & qos = ServicesQoS(),
                                                       CallbackGroup::SharedPtr group = nullptr) {
    return rclcpp::create_service<ServiceT>(node_services_, with_sub_namespace(service_name),
                                            std::forward<CallbackT>(callback), qos, std::move(group));
  }
  template <class ServiceT, class CallbackT>
  typename Service<ServiceT>::SharedPtr create_service(const std::string & service_name, CallbackT && callback,
                                                       const rmw_qos_profile_t & qos_profile,
                                                       CallbackGroup::SharedPtr group = nullptr) {
    return create_service<ServiceT>(service_name, std::forward<CallbackT>(callback),
                                    QoS(QoSInitialization::from_rmw(qos_profile), qos_profile), std::move(group));
  }

  /// By the name of the service's type: create_generic_client.hpp, create_generic_service.hpp.
  GenericClient::SharedPtr create_generic_client(const std::string & service_name, const std::string & service_type,
                                                 const QoS & qos = ServicesQoS(),
                                                 CallbackGroup::SharedPtr group = nullptr);
  template <class CallbackT>
  GenericService::SharedPtr create_generic_service(const std::string & service_name, const std::string & service_type,
                                                   CallbackT && callback, const QoS & qos = ServicesQoS(),
                                                   CallbackGroup::SharedPtr group = nullptr) {
    return rclcpp::create_generic_service(node_services_, with_sub_namespace(service_name), service_type,
                                          std::forward<CallbackT>(callback), qos, std::move(group));
  }

  /// A timer of the steady clock. \throws std::invalid_argument for a negative period.
  template <class DurationRepT = int64_t, class DurationT = std::milli, class CallbackT>
  typename WallTimer<CallbackT>::SharedPtr create_wall_timer(std::chrono::duration<DurationRepT, DurationT> period,
                                                             CallbackT callback,
                                                             CallbackGroup::SharedPtr group = nullptr,
                                                             bool autostart = true) {
    return rclcpp::create_wall_timer(period, std::move(callback), std::move(group), node_base_.get(),
                                     node_timers_.get(), autostart);
  }

  /// A timer of the node's clock.
  template <class DurationRepT = int64_t, class DurationT = std::milli, class CallbackT>
  typename GenericTimer<CallbackT>::SharedPtr create_timer(std::chrono::duration<DurationRepT, DurationT> period,
                                                           CallbackT callback, CallbackGroup::SharedPtr group = nullptr,
                                                           bool autostart = true) {
    return rclcpp::create_timer(get_clock(), period, std::move(callback), std::move(group), node_base_.get(),
                                node_timers_.get(), autostart);
  }

  // Parameters. What each does and throws: node_parameters_interface.hpp.

  using ParameterDescriptor = rcl_interfaces::msg::ParameterDescriptor;
  using PreSetParametersCallbackHandle = node_interfaces::PreSetParametersCallbackHandle;
  using OnSetParametersCallbackHandle = node_interfaces::OnSetParametersCallbackHandle;
  using PostSetParametersCallbackHandle = node_interfaces::PostSetParametersCallbackHandle;
  using PreSetParametersCallbackType = PreSetParametersCallbackHandle::PreSetParametersCallbackType;
  using OnSetParametersCallbackType = OnSetParametersCallbackHandle::OnSetParametersCallbackType;
  using PostSetParametersCallbackType = PostSetParametersCallbackHandle::PostSetParametersCallbackType;

  const ParameterValue & declare_parameter(const std::string & name, const ParameterValue & default_value,
                                           const ParameterDescriptor & descriptor = ParameterDescriptor(),
                                           bool ignore_override = false);
  const ParameterValue & declare_parameter(const std::string & name, ParameterType type,
                                           const ParameterDescriptor & descriptor = ParameterDescriptor(),
                                           bool ignore_override = false);
  /// \return a copy of the value: int64_t for any integer, double, std::string, ...
  template <class ParameterT>
  auto declare_parameter(const std::string & name, const ParameterT & default_value,
                         const ParameterDescriptor & descriptor = ParameterDescriptor(), bool ignore_override = false) {
    const auto & value = declare_parameter(name, ParameterValue(default_value), descriptor, ignore_override);
    return Parameter(name, value).get_value<ParameterT>();
  }
  /// Without a default. \throws also exceptions::UninitializedStaticallyTypedParameterException when there is no
  /// override.
  template <class ParameterT>
  auto declare_parameter(const std::string & name, const ParameterDescriptor & descriptor = ParameterDescriptor(),
                         bool ignore_override = false) {
    constexpr ParameterType kType = detail::parameter_type_of<ParameterT>();
    const auto & value = declare_parameter(name, kType, descriptor, ignore_override);
    if (value.get_type() != kType) throw exceptions::UninitializedStaticallyTypedParameterException(name);
    return Parameter(name, value).get_value<ParameterT>();
  }
  /// Several, "namespace.name" each.
  template <class ParameterT>
  std::vector<ParameterT> declare_parameters(const std::string & namespace_,
                                             const std::map<std::string, ParameterT> & parameters,
                                             bool ignore_overrides = false) {
    std::map<std::string, std::pair<ParameterT, ParameterDescriptor>> described;
    for (const auto & [name, value] : parameters) described[name] = {value, ParameterDescriptor()};
    return declare_parameters(namespace_, described, ignore_overrides);
  }
  template <class ParameterT>
  std::vector<ParameterT> declare_parameters(
      const std::string & namespace_,
      const std::map<std::string, std::pair<ParameterT, ParameterDescriptor>> & parameters,
      bool ignore_overrides = false) {
    const std::string prefix = namespace_.empty() ? "" : namespace_ + ".";
    std::vector<ParameterT> values;
    for (const auto & [name, described] : parameters) {
      const auto & [value, descriptor] = described;
      values.push_back(static_cast<ParameterT>(declare_parameter(prefix + name, value, descriptor, ignore_overrides)));
    }
    return values;
  }
  void undeclare_parameter(const std::string & name);
  bool has_parameter(const std::string & name) const;

  rcl_interfaces::msg::SetParametersResult set_parameter(const Parameter & parameter);
  std::vector<rcl_interfaces::msg::SetParametersResult> set_parameters(const std::vector<Parameter> & parameters);
  rcl_interfaces::msg::SetParametersResult set_parameters_atomically(const std::vector<Parameter> & parameters);

  Parameter get_parameter(const std::string & name) const;
  bool get_parameter(const std::string & name, Parameter & parameter) const;
  /// \throws exceptions::InvalidParameterTypeException when it is of another type.
  template <class ParameterT>
  bool get_parameter(const std::string & name, ParameterT & value) const {
    Parameter parameter;
    if (!get_parameter(name, parameter)) return false;
    value = static_cast<ParameterT>(parameter.get_value<ParameterT>());
    return true;
  }
  template <class ParameterT>
  bool get_parameter_or(const std::string & name, ParameterT & value, const ParameterT & alternative) const {
    if (get_parameter(name, value)) return true;
    value = alternative;
    return false;
  }
  template <class ParameterT>
  ParameterT get_parameter_or(const std::string & name, const ParameterT & alternative) const {
    ParameterT value;
    get_parameter_or(name, value, alternative);
    return value;
  }
  std::vector<Parameter> get_parameters(const std::vector<std::string> & names) const;
  /// Those below a prefix, which their names lose. \return whether there were any.
  template <class ParameterT>
  bool get_parameters(const std::string & prefix, std::map<std::string, ParameterT> & values) const {
    std::map<std::string, Parameter> parameters;
    const bool any = node_parameters_->get_parameters_by_prefix(prefix, parameters);
    for (const auto & [name, parameter] : parameters) {
      values[name] = static_cast<ParameterT>(parameter.template get_value<ParameterT>());
    }
    return any;
  }
  ParameterDescriptor describe_parameter(const std::string & name) const;
  std::vector<ParameterDescriptor> describe_parameters(const std::vector<std::string> & names) const;
  std::vector<std::uint8_t> get_parameter_types(const std::vector<std::string> & names) const;
  rcl_interfaces::msg::ListParametersResult list_parameters(const std::vector<std::string> & prefixes,
                                                            std::uint64_t depth) const;

  [[nodiscard]] PreSetParametersCallbackHandle::SharedPtr add_pre_set_parameters_callback(
      PreSetParametersCallbackType callback);
  [[nodiscard]] OnSetParametersCallbackHandle::SharedPtr add_on_set_parameters_callback(
      OnSetParametersCallbackType callback);
  [[nodiscard]] PostSetParametersCallbackHandle::SharedPtr add_post_set_parameters_callback(
      PostSetParametersCallbackType callback);
  void remove_pre_set_parameters_callback(const PreSetParametersCallbackHandle * handle);
  void remove_on_set_parameters_callback(const OnSetParametersCallbackHandle * handle);
  void remove_post_set_parameters_callback(const PostSetParametersCallbackHandle * handle);

  // The graph. What each does and throws: node_graph_interface.hpp.

  std::vector<std::string> get_node_names() const;
  std::map<std::string, std::vector<std::string>> get_topic_names_and_types(bool no_demangle = false) const;
  std::map<std::string, std::vector<std::string>> get_service_names_and_types() const;
  std::map<std::string, std::vector<std::string>> get_service_names_and_types_by_node(
      const std::string & node_name, const std::string & namespace_) const;
  size_t count_publishers(const std::string & topic_name) const;
  size_t count_subscribers(const std::string & topic_name) const;
  size_t count_clients(const std::string & service_name) const;
  size_t count_services(const std::string & service_name) const;
  std::vector<TopicEndpointInfo> get_publishers_info_by_topic(const std::string & topic_name,
                                                              bool no_mangle = false) const;
  std::vector<TopicEndpointInfo> get_subscriptions_info_by_topic(const std::string & topic_name,
                                                                 bool no_mangle = false) const;
  Event::SharedPtr get_graph_event();
  void wait_for_graph_change(Event::SharedPtr event, std::chrono::nanoseconds timeout);

  const NodeOptions & get_node_options() const { return options_; }

  // The parts of the node, shared with its sub-nodes.

  node_interfaces::NodeBaseInterface::SharedPtr get_node_base_interface() { return node_base_; }
  node_interfaces::NodeClockInterface::SharedPtr get_node_clock_interface() { return node_clock_; }
  node_interfaces::NodeGraphInterface::SharedPtr get_node_graph_interface() { return node_graph_; }
  node_interfaces::NodeLoggingInterface::SharedPtr get_node_logging_interface() { return node_logging_; }
  node_interfaces::NodeParametersInterface::SharedPtr get_node_parameters_interface() { return node_parameters_; }
  node_interfaces::NodeServicesInterface::SharedPtr get_node_services_interface() { return node_services_; }
  node_interfaces::NodeTimeSourceInterface::SharedPtr get_node_time_source_interface() { return node_time_source_; }
  node_interfaces::NodeTimersInterface::SharedPtr get_node_timers_interface() { return node_timers_; }
  node_interfaces::NodeTopicsInterface::SharedPtr get_node_topics_interface() { return node_topics_; }
  node_interfaces::NodeTypeDescriptionsInterface::SharedPtr get_node_type_descriptions_interface() {
    return node_type_descriptions_;
  }
  node_interfaces::NodeWaitablesInterface::SharedPtr get_node_waitables_interface() { return node_waitables_; }

 protected:
  /// \throws exceptions::InvalidNodeNameError, InvalidNamespaceError, RCLError, UnknownROSArgsError.
  NodeParts(const std::string & node_name, const std::string & namespace_, const NodeOptions & options);
  /// The same parts; relative names begin with `sub_namespace`.
  NodeParts(const NodeParts & other, std::string sub_namespace);
  NodeParts(const NodeParts &) = delete;
  NodeParts & operator=(const NodeParts &) = delete;
  ~NodeParts();

  const std::string & sub_namespace() const { return sub_namespace_; }

 private:
  std::string with_sub_namespace(const std::string & name) const;

  const NodeOptions options_;
  const node_interfaces::NodeBaseInterface::SharedPtr node_base_;
  const node_interfaces::NodeTimersInterface::SharedPtr node_timers_;
  const node_interfaces::NodeTopicsInterface::SharedPtr node_topics_;
  const node_interfaces::NodeServicesInterface::SharedPtr node_services_;
  const node_interfaces::NodeWaitablesInterface::SharedPtr node_waitables_;
  const node_interfaces::NodeGraphInterface::SharedPtr node_graph_;
  const node_interfaces::NodeLoggingInterface::SharedPtr node_logging_;
  const node_interfaces::NodeClockInterface::SharedPtr node_clock_;
  const node_interfaces::NodeParametersInterface::SharedPtr node_parameters_;
  std::vector<ServiceBase::SharedPtr> parameter_services_;
  const std::shared_ptr<TimeSource> time_source_;
  const node_interfaces::NodeTimeSourceInterface::SharedPtr node_time_source_;
  const node_interfaces::NodeTypeDescriptionsInterface::SharedPtr node_type_descriptions_;
  const std::string sub_namespace_;
};

}  // namespace detail
}  // namespace rclcpp

#endif  // RCLCPP__DETAIL__NODE_PARTS_HPP_
