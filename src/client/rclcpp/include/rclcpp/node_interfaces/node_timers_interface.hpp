// The part of a node that has its timers.
#ifndef RCLCPP__NODE_INTERFACES__NODE_TIMERS_INTERFACE_HPP_
#define RCLCPP__NODE_INTERFACES__NODE_TIMERS_INTERFACE_HPP_

#include "rclcpp/callback_group.hpp"
#include "rclcpp/macros.hpp"
#include "rclcpp/node_interfaces/detail/node_interfaces_helpers.hpp"
#include "rclcpp/node_interfaces/node_base_interface.hpp"
#include "rclcpp/timer.hpp"
#include "rclcpp/visibility_control.hpp"

namespace rclcpp {
namespace node_interfaces {

/// Thread-safe.
class RCLCPP_PUBLIC NodeTimersInterface {
 public:
  RCLCPP_SMART_PTR_ALIASES_ONLY(NodeTimersInterface)
  RCLCPP_DISABLE_COPY(NodeTimersInterface)

  explicit NodeTimersInterface(NodeBaseInterface::SharedPtr base) : base_(std::move(base)) {}

  /// The node holds it weakly. A null group means the node's default group.
  /// \throws exceptions::MissingGroupNodeException when the group is of another node.
  void add_timer(TimerBase::SharedPtr timer, CallbackGroup::SharedPtr group);

 private:
  const NodeBaseInterface::SharedPtr base_;
};
using NodeTimers = NodeTimersInterface;

}  // namespace node_interfaces
}  // namespace rclcpp

RCLCPP_NODE_INTERFACE_HELPERS_SUPPORT(rclcpp::node_interfaces::NodeTimersInterface, timers)

#endif  // RCLCPP__NODE_INTERFACES__NODE_TIMERS_INTERFACE_HPP_
