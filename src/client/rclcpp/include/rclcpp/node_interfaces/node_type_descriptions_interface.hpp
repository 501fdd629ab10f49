// What tells others about a node's types.
#ifndef RCLCPP__NODE_INTERFACES__NODE_TYPE_DESCRIPTIONS_INTERFACE_HPP_
#define RCLCPP__NODE_INTERFACES__NODE_TYPE_DESCRIPTIONS_INTERFACE_HPP_

#include "rclcpp/macros.hpp"
#include "rclcpp/node_interfaces/detail/node_interfaces_helpers.hpp"
#include "rclcpp/node_interfaces/node_logging_interface.hpp"
#include "rclcpp/node_interfaces/node_parameters_interface.hpp"
#include "rclcpp/node_interfaces/node_services_interface.hpp"
#include "rclcpp/visibility_control.hpp"

namespace rclcpp {
namespace node_interfaces {

/// Declares the read-only parameter `start_type_description_service` (true) and, if it is true, serves ~/get_type_description: the
/// descriptions, and on request the definitions, of the types of the node's topics and services, by their hashes.
/// Nothing can be asked of this object itself.
class RCLCPP_PUBLIC NodeTypeDescriptionsInterface {
 public:
  RCLCPP_SMART_PTR_ALIASES_ONLY(NodeTypeDescriptionsInterface)

  /// \throws exceptions::InvalidParameterTypeException if the parameter is given as something else than a bool.
  NodeTypeDescriptionsInterface(NodeBaseInterface::SharedPtr node_base, NodeLoggingInterface::SharedPtr node_logging,
                                NodeParametersInterface::SharedPtr node_parameters,
                                NodeServicesInterface::SharedPtr node_services);

 private:
  ServiceBase::SharedPtr service_;  // null: not wanted
};
using NodeTypeDescriptions = NodeTypeDescriptionsInterface;

}  // namespace node_interfaces
}  // namespace rclcpp

RCLCPP_NODE_INTERFACE_HELPERS_SUPPORT(rclcpp::node_interfaces::NodeTypeDescriptionsInterface, type_descriptions)

#endif  // RCLCPP__NODE_INTERFACES__NODE_TYPE_DESCRIPTIONS_INTERFACE_HPP_
