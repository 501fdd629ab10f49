// Which parts of a subscription a wait-set waits for.
#ifndef RCLCPP__SUBSCRIPTION_WAIT_SET_MASK_HPP_
#define RCLCPP__SUBSCRIPTION_WAIT_SET_MASK_HPP_

namespace rclcpp {

/// What of a subscription is waited for. There is nothing apart for intra-process delivery. Events come as waitables.
struct SubscriptionWaitSetMask {
  bool include_subscription = true;
  bool include_events = true;
  bool include_intra_process_waitable = true;
};

}  // namespace rclcpp

#endif  // RCLCPP__SUBSCRIPTION_WAIT_SET_MASK_HPP_
