// Creating a subscription to a type by its name.
#ifndef RCLCPP__CREATE_GENERIC_SUBSCRIPTION_HPP_
#define RCLCPP__CREATE_GENERIC_SUBSCRIPTION_HPP_

#include <memory>
#include <string>
#include <utility>

#include "rclcpp/generic_subscription.hpp"
#include "rclcpp/node_interfaces/node_topics_interface.hpp"

namespace rclcpp {

/// \param topic_type "std_msgs/msg/String". \throws as create_subscription(), and std::runtime_error for a type that no
/// installed package has.
template <class CallbackT, class AllocatorT = std::allocator<void>>
std::shared_ptr<GenericSubscription> create_generic_subscription(
    const node_interfaces::NodeTopicsInterface::SharedPtr & topics, const std::string & topic_name,
    const std::string & topic_type, const QoS & qos, CallbackT && callback,
    const SubscriptionOptionsWithAllocator<AllocatorT> & options = SubscriptionOptionsWithAllocator<AllocatorT>()) {
  auto subscription = std::make_shared<GenericSubscription>(
      topics->open_subscription(detail::message_type_by_name(topic_type), topic_name, qos, options),
      std::forward<CallbackT>(callback));
  topics->add_subscription(subscription, options.callback_group);
  return subscription;
}

}  // namespace rclcpp

#endif  // RCLCPP__CREATE_GENERIC_SUBSCRIPTION_HPP_
