// What servers and clients read and write in the messages of an action, whatever its type: by the order of their fields.
#pragma once

#include <cstddef>
#include <memory>

#include "builtin_interfaces/msg/time.hpp"
#include "rclcpp_action/types.hpp"
#include "tandem/message_type.hpp"
#include "unique_identifier_msgs/msg/uuid.hpp"

namespace rclcpp_action::detail {

/// The fields of an action's messages, in the order of their definition.
namespace fields {
enum SendGoalRequest : std::size_t { kGoalId, kGoal };
enum SendGoalResponse : std::size_t { kAccepted, kStamp };
enum GetResultResponse : std::size_t { kStatus, kResult };
// Requests of results and feedback begin with the goal's id, too; the feedback is behind it.
enum FeedbackMessage : std::size_t { kFeedback = 1 };
}  // namespace fields

inline void * field(const tandem::MessageType & type, void * message, std::size_t index) {
  return static_cast<char *>(message) + type.fields[index].offset;
}
inline const void * field(const tandem::MessageType & type, const void * message, std::size_t index) {
  return static_cast<const char *>(message) + type.fields[index].offset;
}

/// Of a request of a goal or a result, or of a message of feedback.
inline GoalUUID & goal_id(const tandem::MessageType & type, void * message) {
  return static_cast<unique_identifier_msgs::msg::UUID *>(field(type, message, fields::kGoalId))->uuid;
}
inline const GoalUUID & goal_id(const tandem::MessageType & type, const void * message) {
  return static_cast<const unique_identifier_msgs::msg::UUID *>(field(type, message, fields::kGoalId))->uuid;
}

}  // namespace rclcpp_action::detail
