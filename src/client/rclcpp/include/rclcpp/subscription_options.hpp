// Options of a subscription beyond its QoS.
#ifndef RCLCPP__SUBSCRIPTION_OPTIONS_HPP_
#define RCLCPP__SUBSCRIPTION_OPTIONS_HPP_

#include <memory>

#include "rclcpp/event_handler.hpp"
#include "rclcpp/intra_process_setting.hpp"

namespace rclcpp {

class CallbackGroup;

struct SubscriptionOptionsBase {
  SubscriptionEventCallbacks event_callbacks;  ///< refused when set
  bool use_default_callbacks = true;
  bool ignore_local_publications = false;                                         ///< drops what this process published
  std::shared_ptr<CallbackGroup> callback_group;                                  ///< null: the node's default group
  IntraProcessSetting use_intra_process_comm = IntraProcessSetting::NodeDefault;  ///< no effect
};

/// The allocator is ignored: messages are read where their publisher wrote them.
template <class AllocatorT>
struct SubscriptionOptionsWithAllocator : SubscriptionOptionsBase {
  std::shared_ptr<AllocatorT> allocator;
};
using SubscriptionOptions = SubscriptionOptionsWithAllocator<std::allocator<void>>;

}  // namespace rclcpp

#endif  // RCLCPP__SUBSCRIPTION_OPTIONS_HPP_
