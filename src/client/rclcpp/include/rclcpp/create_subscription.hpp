// Creating a subscription on anything that can (a node, a pointer to one).
#ifndef RCLCPP__CREATE_SUBSCRIPTION_HPP_
#define RCLCPP__CREATE_SUBSCRIPTION_HPP_

#include <memory>
#include <string>
#include <utility>

#include "rclcpp/detail/dereference.hpp"
#include "rclcpp/subscription.hpp"

namespace rclcpp {

template <class MessageT, class NodeT, class CallbackT, class AllocatorT = std::allocator<void>,
          class SubscriptionT = Subscription<MessageT, AllocatorT>>
std::shared_ptr<SubscriptionT> create_subscription(
    NodeT && node, const std::string & topic_name, const QoS & qos, CallbackT && callback,
    const SubscriptionOptionsWithAllocator<AllocatorT> & options = SubscriptionOptionsWithAllocator<AllocatorT>()) {
  return detail::dereference(node).template create_subscription<MessageT, CallbackT, AllocatorT, SubscriptionT>(
      topic_name, qos, std::forward<CallbackT>(callback), options);
}

}  // namespace rclcpp

#endif  // RCLCPP__CREATE_SUBSCRIPTION_HPP_
