// The part of a node that has its waitables.
#ifndef RCLCPP__NODE_INTERFACES__NODE_WAITABLES_INTERFACE_HPP_
#define RCLCPP__NODE_INTERFACES__NODE_WAITABLES_INTERFACE_HPP_

#include "rclcpp/callback_group.hpp"
#include "rclcpp/macros.hpp"
#include "rclcpp/node_interfaces/detail/node_interfaces_helpers.hpp"
#include "rclcpp/node_interfaces/node_base_interface.hpp"
#include "rclcpp/visibility_control.hpp"
#include "rclcpp/waitable.hpp"

namespace rclcpp {
namespace node_interfaces {

/// Thread-safe.
class RCLCPP_PUBLIC NodeWaitablesInterface {
 public:
  RCLCPP_SMART_PTR_ALIASES_ONLY(NodeWaitablesInterface)
  RCLCPP_DISABLE_COPY(NodeWaitablesInterface)

  explicit NodeWaitablesInterface(NodeBaseInterface::SharedPtr base) : base_(std::move(base)) {}

  /// The node holds it weakly; the executor that has the group serves it. A null group means the node's default group.
  /// \throws exceptions::MissingGroupNodeException when the group is of another node.
  void add_waitable(Waitable::SharedPtr waitable, CallbackGroup::SharedPtr group);
  /// Nothing happens when it is not there.
  void remove_waitable(Waitable::SharedPtr waitable, CallbackGroup::SharedPtr group) noexcept;

 private:
  const NodeBaseInterface::SharedPtr base_;
};
using NodeWaitables = NodeWaitablesInterface;

}  // namespace node_interfaces
}  // namespace rclcpp

RCLCPP_NODE_INTERFACE_HELPERS_SUPPORT(rclcpp::node_interfaces::NodeWaitablesInterface, waitables)

#endif  // RCLCPP__NODE_INTERFACES__NODE_WAITABLES_INTERFACE_HPP_
