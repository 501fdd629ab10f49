// Options of a subscription beyond its QoS.
#ifndef RCLCPP__SUBSCRIPTION_OPTIONS_HPP_
#define RCLCPP__SUBSCRIPTION_OPTIONS_HPP_

#include <chrono>
#include <memory>
#include <string>

#include "rclcpp/event_handler.hpp"
#include "rclcpp/intra_process_setting.hpp"
#include "rclcpp/qos.hpp"
#include "rclcpp/qos_overriding_options.hpp"
#include "rclcpp/subscription_content_filter_options.hpp"
#include "rmw/types.h"

namespace rclcpp {

class CallbackGroup;

enum class TopicStatisticsState { Enable, Disable, NodeDefault };

/// The age of messages and the time between them (MetricsMessage of statistics_msgs), measured before each callback and
/// published by a timer in the subscription's group.
struct TopicStatisticsOptions {
  TopicStatisticsState state = TopicStatisticsState::NodeDefault;
  std::string publish_topic = "/statistics";
  std::chrono::milliseconds publish_period{std::chrono::seconds(1)};  ///< positive
  QoS qos = SystemDefaultsQoS().keep_last(10);
};

struct SubscriptionOptionsBase {
  SubscriptionEventCallbacks event_callbacks;
  bool use_default_callbacks = true;              ///< without effect: the transport always says what does not match
  bool ignore_local_publications = false;         ///< drops what this process published
  std::shared_ptr<CallbackGroup> callback_group;  ///< null: the node's default group
  /// Strictly required ones are refused: messages do not travel over a network.
  rmw_unique_network_flow_endpoints_requirement_t require_unique_network_flow_endpoints =
      RMW_UNIQUE_NETWORK_FLOW_ENDPOINTS_NOT_REQUIRED;
  TopicStatisticsOptions topic_stats_options;
  ContentFilterOptions content_filter_options;
  /// Enabled: counts as an intra-process subscription, and is refused with a QoS that keeps all or the last 0 messages.
  IntraProcessSetting use_intra_process_comm = IntraProcessSetting::NodeDefault;
  QosOverridingOptions qos_overriding_options;
};

/// The allocator is ignored: messages are read where their publisher wrote them.
template <class AllocatorT>
struct SubscriptionOptionsWithAllocator : SubscriptionOptionsBase {
  std::shared_ptr<AllocatorT> allocator;

  /// `allocator`, or a new one if there is none.
  std::shared_ptr<AllocatorT> get_allocator() const { return allocator ? allocator : std::make_shared<AllocatorT>(); }
};
using SubscriptionOptions = SubscriptionOptionsWithAllocator<std::allocator<void>>;

}  // namespace rclcpp

#endif  // RCLCPP__SUBSCRIPTION_OPTIONS_HPP_
