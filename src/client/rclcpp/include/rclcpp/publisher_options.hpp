// Options of a publisher beyond its QoS.
#ifndef RCLCPP__PUBLISHER_OPTIONS_HPP_
#define RCLCPP__PUBLISHER_OPTIONS_HPP_

#include <memory>

#include "rclcpp/event_handler.hpp"
#include "rclcpp/intra_process_setting.hpp"
#include "rclcpp/qos_overriding_options.hpp"
#include "rmw/types.h"

namespace rclcpp {

class CallbackGroup;

struct PublisherOptionsBase {
  /// Enabled: counts intra-process subscriptions, and is refused with a QoS that keeps all or the last 0 messages.
  IntraProcessSetting use_intra_process_comm = IntraProcessSetting::NodeDefault;
  PublisherEventCallbacks event_callbacks;
  bool use_default_callbacks = true;  ///< without effect: the transport always says what does not match
  /// Strictly required ones are refused: messages do not travel over a network.
  rmw_unique_network_flow_endpoints_requirement_t require_unique_network_flow_endpoints =
      RMW_UNIQUE_NETWORK_FLOW_ENDPOINTS_NOT_REQUIRED;
  std::shared_ptr<CallbackGroup> callback_group;  ///< of the events
  QosOverridingOptions qos_overriding_options;
};

/// The allocator is ignored: messages come from the process's message heap.
template <class AllocatorT>
struct PublisherOptionsWithAllocator : PublisherOptionsBase {
  std::shared_ptr<AllocatorT> allocator;

  /// `allocator`, or a new one if there is none.
  std::shared_ptr<AllocatorT> get_allocator() const { return allocator ? allocator : std::make_shared<AllocatorT>(); }
};
using PublisherOptions = PublisherOptionsWithAllocator<std::allocator<void>>;

}  // namespace rclcpp

#endif  // RCLCPP__PUBLISHER_OPTIONS_HPP_
