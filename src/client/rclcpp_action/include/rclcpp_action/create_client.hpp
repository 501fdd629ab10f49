// Creating an action client.
#ifndef RCLCPP_ACTION__CREATE_CLIENT_HPP_
#define RCLCPP_ACTION__CREATE_CLIENT_HPP_

#include <memory>
#include <string>
#include <utility>

#include "rclcpp/node.hpp"
#include "rclcpp/node_interfaces/node_waitables_interface.hpp"
#include "rclcpp_action/client.hpp"

namespace rclcpp_action {

/// What is thrown: see Client. The waitables are not needed; rclcpp_action has them.
template <class ActionT>
typename Client<ActionT>::SharedPtr create_client(
    rclcpp::node_interfaces::NodeBaseInterface::SharedPtr node_base_interface,
    rclcpp::node_interfaces::NodeGraphInterface::SharedPtr node_graph_interface,
    rclcpp::node_interfaces::NodeLoggingInterface::SharedPtr node_logging_interface,
    rclcpp::node_interfaces::NodeWaitablesInterface::SharedPtr /*node_waitables_interface*/, const std::string & name,
    rclcpp::CallbackGroup::SharedPtr group = nullptr,
    const rcl_action_client_options_t & options = rcl_action_client_get_default_options()) {
  return std::make_shared<Client<ActionT>>(std::move(node_base_interface), std::move(node_graph_interface),
                                           std::move(node_logging_interface), name, options, std::move(group));
}

/// \param node a pointer to anything that has a node's interfaces.
template <class ActionT, class NodeT>
typename Client<ActionT>::SharedPtr create_client(
    NodeT node, const std::string & name, rclcpp::CallbackGroup::SharedPtr group = nullptr,
    const rcl_action_client_options_t & options = rcl_action_client_get_default_options()) {
  return create_client<ActionT>(node->get_node_base_interface(), node->get_node_graph_interface(),
                                node->get_node_logging_interface(), node->get_node_waitables_interface(), name,
                                std::move(group), options);
}

}  // namespace rclcpp_action

#endif  // RCLCPP_ACTION__CREATE_CLIENT_HPP_
