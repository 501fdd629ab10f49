// Creating an action server.
#ifndef RCLCPP_ACTION__CREATE_SERVER_HPP_
#define RCLCPP_ACTION__CREATE_SERVER_HPP_

#include <memory>
#include <string>
#include <utility>

#include "rcl_action/action_server.h"
#include "rclcpp/node.hpp"
#include "rclcpp/node_interfaces/node_base_interface.hpp"
#include "rclcpp/node_interfaces/node_clock_interface.hpp"
#include "rclcpp/node_interfaces/node_logging_interface.hpp"
#include "rclcpp/node_interfaces/node_waitables_interface.hpp"
#include "rclcpp_action/server.hpp"

namespace rclcpp_action {

/// It serves for as long as somebody keeps it. The callbacks and what is thrown: see Server. The waitables are not needed;
/// rclcpp_action has them.
template <class ActionT>
typename Server<ActionT>::SharedPtr create_server(
    rclcpp::node_interfaces::NodeBaseInterface::SharedPtr node_base_interface,
    rclcpp::node_interfaces::NodeClockInterface::SharedPtr node_clock_interface,
    rclcpp::node_interfaces::NodeLoggingInterface::SharedPtr node_logging_interface,
    rclcpp::node_interfaces::NodeWaitablesInterface::SharedPtr /*node_waitables_interface*/, const std::string & name,
    typename Server<ActionT>::GoalCallback handle_goal, typename Server<ActionT>::CancelCallback handle_cancel,
    typename Server<ActionT>::AcceptedCallback handle_accepted,
    const rcl_action_server_options_t & options = rcl_action_server_get_default_options(),
    rclcpp::CallbackGroup::SharedPtr group = nullptr) {
  return std::make_shared<Server<ActionT>>(std::move(node_base_interface), std::move(node_clock_interface),
                                           std::move(node_logging_interface), name, options, std::move(handle_goal),
                                           std::move(handle_cancel), std::move(handle_accepted), std::move(group));
}

/// \param node a pointer to anything that has a node's interfaces.
template <class ActionT, class NodeT>
typename Server<ActionT>::SharedPtr create_server(
    NodeT node, const std::string & name, typename Server<ActionT>::GoalCallback handle_goal,
    typename Server<ActionT>::CancelCallback handle_cancel, typename Server<ActionT>::AcceptedCallback handle_accepted,
    const rcl_action_server_options_t & options = rcl_action_server_get_default_options(),
    rclcpp::CallbackGroup::SharedPtr group = nullptr) {
  return create_server<ActionT>(node->get_node_base_interface(), node->get_node_clock_interface(),
                                node->get_node_logging_interface(), node->get_node_waitables_interface(), name,
                                std::move(handle_goal), std::move(handle_cancel), std::move(handle_accepted), options,
                                std::move(group));
}

}  // namespace rclcpp_action

#endif  // RCLCPP_ACTION__CREATE_SERVER_HPP_
