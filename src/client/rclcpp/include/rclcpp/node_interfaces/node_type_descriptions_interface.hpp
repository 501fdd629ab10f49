// What tells others about a node's types. Nothing can be asked of it, and there is no such service yet.
#ifndef RCLCPP__NODE_INTERFACES__NODE_TYPE_DESCRIPTIONS_INTERFACE_HPP_
#define RCLCPP__NODE_INTERFACES__NODE_TYPE_DESCRIPTIONS_INTERFACE_HPP_

#include "rclcpp/macros.hpp"
#include "rclcpp/node_interfaces/detail/node_interfaces_helpers.hpp"
#include "rclcpp/visibility_control.hpp"

namespace rclcpp {
namespace node_interfaces {

class RCLCPP_PUBLIC NodeTypeDescriptionsInterface {
 public:
  RCLCPP_SMART_PTR_ALIASES_ONLY(NodeTypeDescriptionsInterface)
};
using NodeTypeDescriptions = NodeTypeDescriptionsInterface;

}  // namespace node_interfaces
}  // namespace rclcpp

RCLCPP_NODE_INTERFACE_HELPERS_SUPPORT(rclcpp::node_interfaces::NodeTypeDescriptionsInterface, type_descriptions)

#endif  // RCLCPP__NODE_INTERFACES__NODE_TYPE_DESCRIPTIONS_INTERFACE_HPP_
