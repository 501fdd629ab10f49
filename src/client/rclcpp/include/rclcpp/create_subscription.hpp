// Creating a subscription on anything that is like a node.
#ifndef RCLCPP__CREATE_SUBSCRIPTION_HPP_
#define RCLCPP__CREATE_SUBSCRIPTION_HPP_

#include <memory>
#include <string>
#include <utility>

#include "rclcpp/message_memory_strategy.hpp"
#include "rclcpp/node_interfaces/node_parameters_interface.hpp"
#include "rclcpp/node_interfaces/node_topics_interface.hpp"
#include "rclcpp/subscription.hpp"
#include "rclcpp/type_adapter.hpp"

namespace rclcpp {
namespace detail {

/// The parts of a node that make a subscription. `parameters` is null for a node without.
struct SubscriptionParts {
  node_interfaces::NodeParametersInterface * parameters;
  node_interfaces::NodeTopicsInterface & topics;
};

template <class MessageT, class CallbackT, class AllocatorT, class SubscriptionT>
std::shared_ptr<SubscriptionT> create_subscription(const SubscriptionParts & node, const std::string & topic_name,
                                                   const QoS & qos, CallbackT && callback,
                                                   const SubscriptionOptionsWithAllocator<AllocatorT> & options) {
  const auto & overriding = options.qos_overriding_options;
  const QoS actual_qos = overriding.get_policy_kinds().empty()
                             ? qos
                             : overridden_qos(node.parameters, overriding, node.topics.resolve_topic_name(topic_name),
                                              qos, "subscription");
  auto setup = node.topics.open_subscription(tandem::message_type<typename TypeAdapter<MessageT>::ros_message_type>(),
                                             topic_name, actual_qos, options);
  auto subscription = std::make_shared<SubscriptionT>(std::move(setup), std::forward<CallbackT>(callback));
  node.topics.add_subscription(subscription, options.callback_group);
  return subscription;
}

}  // namespace detail

/// \param node as of create_publisher(). The memory strategy is ignored. \throws as Node::create_subscription().
template <class MessageT, class CallbackT, class AllocatorT = std::allocator<void>,
          class SubscriptionT = Subscription<MessageT, AllocatorT>, class NodeT>
std::shared_ptr<SubscriptionT> create_subscription(
    NodeT && node, const std::string & topic_name, const QoS & qos, CallbackT && callback,
    const SubscriptionOptionsWithAllocator<AllocatorT> & options = SubscriptionOptionsWithAllocator<AllocatorT>(),
    const std::shared_ptr<const void> & /*memory_strategy*/ = nullptr) {
  const auto parameters = detail::get_interface_if_any<node_interfaces::NodeParametersInterface>(node);
  return detail::create_subscription<MessageT, CallbackT, AllocatorT, SubscriptionT>(
      {parameters.get(), *node_interfaces::get_node_topics_interface(node)}, topic_name, qos,
      std::forward<CallbackT>(callback), options);
}

template <class MessageT, class CallbackT, class AllocatorT = std::allocator<void>,
          class SubscriptionT = Subscription<MessageT, AllocatorT>>
std::shared_ptr<SubscriptionT> create_subscription(
    const node_interfaces::NodeParametersInterface::SharedPtr & node_parameters,
    const node_interfaces::NodeTopicsInterface::SharedPtr & node_topics, const std::string & topic_name,
    const QoS & qos, CallbackT && callback,
    const SubscriptionOptionsWithAllocator<AllocatorT> & options = SubscriptionOptionsWithAllocator<AllocatorT>(),
    const std::shared_ptr<const void> & /*memory_strategy*/ = nullptr) {
  return detail::create_subscription<MessageT, CallbackT, AllocatorT, SubscriptionT>(
      {node_parameters.get(), *node_topics}, topic_name, qos, std::forward<CallbackT>(callback), options);
}

}  // namespace rclcpp

#endif  // RCLCPP__CREATE_SUBSCRIPTION_HPP_
