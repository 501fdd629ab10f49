// One message of a topic, without an executor.
#ifndef RCLCPP__WAIT_FOR_MESSAGE_HPP_
#define RCLCPP__WAIT_FOR_MESSAGE_HPP_

#include <chrono>
#include <cstdint>
#include <memory>
#include <string>

#include "rclcpp/node.hpp"
#include "rclcpp/wait_set.hpp"

namespace rclcpp {

/// Waits until the subscription has a message, and copies it to `out`. Blocks for `time_to_wait` at most; negative: for ever.
/// \return false if the time is over or `context` is shut down first.
/// \throws std::runtime_error if the subscription is in a wait-set, or its callback group in an executor.
template <class MsgT, class Rep = std::int64_t, class Period = std::milli>
bool wait_for_message(MsgT & out, std::shared_ptr<Subscription<MsgT>> subscription, std::shared_ptr<Context> context,
                      std::chrono::duration<Rep, Period> time_to_wait = std::chrono::duration<Rep, Period>(-1)) {
  WaitSet wait_set({{subscription, {true, false, false}}}, {}, {}, {}, {}, {}, context);
  MessageInfo info;
  return wait_set.wait(time_to_wait).kind() == WaitResultKind::Ready && subscription->take(out, info);
}

/// The same with a subscription of its own, which the node's executor leaves alone.
template <class MsgT, class Rep = std::int64_t, class Period = std::milli>
bool wait_for_message(MsgT & out, Node::SharedPtr node, const std::string & topic,
                      std::chrono::duration<Rep, Period> time_to_wait = std::chrono::duration<Rep, Period>(-1),
                      const QoS & qos = SystemDefaultsQoS()) {
  SubscriptionOptions options;
  options.callback_group = node->create_callback_group(CallbackGroupType::MutuallyExclusive, false);
  auto subscription = node->create_subscription<MsgT>(
      topic, qos, [](const std::shared_ptr<const MsgT>) {}, options);
  return wait_for_message<MsgT, Rep, Period>(out, subscription, node->get_node_options().context(), time_to_wait);
}

}  // namespace rclcpp

#endif  // RCLCPP__WAIT_FOR_MESSAGE_HPP_
