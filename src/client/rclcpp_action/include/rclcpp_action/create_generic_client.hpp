// Creating an action client by the name of the action's type.
#ifndef RCLCPP_ACTION__CREATE_GENERIC_CLIENT_HPP_
#define RCLCPP_ACTION__CREATE_GENERIC_CLIENT_HPP_

#include <string>
#include <utility>

#include "rclcpp/node_interfaces/node_graph_interface.hpp"
#include "rclcpp/node_interfaces/node_logging_interface.hpp"
#include "rclcpp/node_interfaces/node_waitables_interface.hpp"
#include "rclcpp_action/generic_client.hpp"

namespace rclcpp_action {

/// \param type "example_interfaces/action/Fibonacci". Of the interfaces the first alone is needed.
/// \throws as Client(), and std::runtime_error for a type that no installed package has.
RCLCPP_ACTION_PUBLIC GenericClient::SharedPtr create_generic_client(
    rclcpp::node_interfaces::NodeBaseInterface::SharedPtr node_base_interface,
    rclcpp::node_interfaces::NodeGraphInterface::SharedPtr node_graph_interface,
    rclcpp::node_interfaces::NodeLoggingInterface::SharedPtr node_logging_interface,
    rclcpp::node_interfaces::NodeWaitablesInterface::SharedPtr node_waitables_interface, const std::string & name,
    const std::string & type, rclcpp::CallbackGroup::SharedPtr group = nullptr,
    const rcl_action_client_options_t & options = rcl_action_client_get_default_options());

/// \param node a pointer to anything that has a node's interfaces.
template <class NodeT>
GenericClient::SharedPtr create_generic_client(
    NodeT node, const std::string & name, const std::string & type, rclcpp::CallbackGroup::SharedPtr group = nullptr,
    const rcl_action_client_options_t & options = rcl_action_client_get_default_options()) {
  return create_generic_client(node->get_node_base_interface(), node->get_node_graph_interface(),
                               node->get_node_logging_interface(), node->get_node_waitables_interface(), name, type,
                               std::move(group), options);
}

}  // namespace rclcpp_action

#endif  // RCLCPP_ACTION__CREATE_GENERIC_CLIENT_HPP_
