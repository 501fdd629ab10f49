// The subscription of /clock, and the thread that takes its messages.
#pragma once

#include <functional>
#include <memory>
#include <thread>

#include "rclcpp/context.hpp"
#include "rclcpp/node_interfaces/node_topics_interface.hpp"
#include "rclcpp/subscription.hpp"
#include "rosgraph_msgs/msg/clock.hpp"

namespace rclcpp::detail {

/// Calls back with each message of /clock for as long as it lives, from a thread of its own or from the node's executor.
class ClockSubscription {
 public:
  using Message = rosgraph_msgs::msg::Clock;
  using Callback = std::function<void(const Message &)>;

  /// \throws what creating a subscription throws.
  ClockSubscription(node_interfaces::NodeTopicsInterface & topics, const QoS & qos, bool use_thread, Callback callback);
  /// Waits for the thread, unless it is the one that calls. An executor may be in the callback still.
  ~ClockSubscription();
  RCLCPP_DISABLE_COPY(ClockSubscription)

  bool has_thread() const { return thread_.joinable(); }

 private:
  struct Loop;  // what the thread needs, also when it outlives this object
  void start_thread(const Context::SharedPtr & context);

  Subscription<Message>::SharedPtr subscription_;
  std::shared_ptr<Loop> loop_;  // null without a thread
  OnShutdownCallbackHandle shutdown_handle_;
  std::thread thread_;
};

}  // namespace rclcpp::detail
