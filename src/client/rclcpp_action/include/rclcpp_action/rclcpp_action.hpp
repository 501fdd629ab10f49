// Everything of rclcpp_action. An action is a service with news of its progress, which can be cancelled:
//
//   client                                           server
//     async_send_goal()    ── send_goal ──►            handle_goal: accept, defer or reject; handle_accepted
//     feedback_callback    ◄── feedback ──             ServerGoalHandle::publish_feedback()
//     async_get_result()   ── get_result ──►           answered by succeed(), abort() or canceled()
//     async_cancel_goal()  ── cancel_goal ──►          handle_cancel: accept or reject; then is_canceling()
//     get_status()         ◄── status ──               of all goals, at each change
//
// The three services and two topics are named "<action>/_action/send_goal" and so on, as ROS 2 has them.
#ifndef RCLCPP_ACTION__RCLCPP_ACTION_HPP_
#define RCLCPP_ACTION__RCLCPP_ACTION_HPP_

#include <csignal>
#include <memory>

#include "rclcpp_action/client.hpp"
#include "rclcpp_action/client_goal_handle.hpp"
#include "rclcpp_action/create_client.hpp"
#include "rclcpp_action/create_generic_client.hpp"
#include "rclcpp_action/create_server.hpp"
#include "rclcpp_action/exceptions.hpp"
#include "rclcpp_action/generic_client.hpp"
#include "rclcpp_action/generic_client_goal_handle.hpp"
#include "rclcpp_action/qos.hpp"
#include "rclcpp_action/server.hpp"
#include "rclcpp_action/server_goal_handle.hpp"
#include "rclcpp_action/types.hpp"
#include "rclcpp_action/visibility_control.hpp"

#endif  // RCLCPP_ACTION__RCLCPP_ACTION_HPP_
