// The names of goals.
#ifndef RCLCPP_ACTION__TYPES_HPP_
#define RCLCPP_ACTION__TYPES_HPP_

#include <array>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <string>

#include "action_msgs/msg/goal_info.hpp"
#include "action_msgs/msg/goal_status.hpp"
#include "rcl_action/types.h"
#include "rclcpp_action/visibility_control.hpp"

namespace rclcpp_action {

using GoalUUID = std::array<uint8_t, UUID_SIZE>;
using GoalStatus = action_msgs::msg::GoalStatus;
using GoalInfo = action_msgs::msg::GoalInfo;

/// "00010203-0405-0607-0809-0a0b0c0d0e0f"
RCLCPP_ACTION_PUBLIC std::string to_string(const GoalUUID & goal_id);
// The id alone; the stamp stays as it is.
RCLCPP_ACTION_PUBLIC void convert(const GoalUUID & goal_id, rcl_action_goal_info_t * info);
RCLCPP_ACTION_PUBLIC void convert(const rcl_action_goal_info_t & info, GoalUUID * goal_id);

}  // namespace rclcpp_action

namespace std {

/// FNV-1a.
template <>
struct hash<rclcpp_action::GoalUUID> {
  size_t operator()(const rclcpp_action::GoalUUID & uuid) const noexcept {
    uint64_t result = 14695981039346656037u;
    for (const uint8_t byte : uuid) result = (result ^ byte) * 1099511628211u;
    return static_cast<size_t>(result);
  }
};

}  // namespace std

#endif  // RCLCPP_ACTION__TYPES_HPP_
