#include "rclcpp_action/types.hpp"

#include <algorithm>
#include <iterator>

namespace rclcpp_action {

std::string to_string(const GoalUUID & goal_id) {
  constexpr char kDigits[] = "0123456789abcdef";
  std::string text;
  for (const uint8_t byte : goal_id) {
    if (text.size() == 8 || text.size() == 13 || text.size() == 18 || text.size() == 23) text += '-';
    text += kDigits[byte >> 4];
    text += kDigits[byte & 0xf];
  }
  return text;
}

void convert(const GoalUUID & goal_id, rcl_action_goal_info_t * info) {
  std::copy(goal_id.begin(), goal_id.end(), info->goal_id.uuid);
}

void convert(const rcl_action_goal_info_t & info, GoalUUID * goal_id) {
  std::copy(std::begin(info.goal_id.uuid), std::end(info.goal_id.uuid), goal_id->begin());
}

}  // namespace rclcpp_action
