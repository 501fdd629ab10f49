// What clients of actions throw.
#ifndef RCLCPP_ACTION__EXCEPTIONS_HPP_
#define RCLCPP_ACTION__EXCEPTIONS_HPP_

#include <stdexcept>
#include <string>

namespace rclcpp_action {
namespace exceptions {

/// The goal was sent by another client, or its result has come already.
class UnknownGoalHandleError : public std::invalid_argument {
 public:
  UnknownGoalHandleError()
      : std::invalid_argument(
            "the goal handle is unknown to this client: another one has sent the goal, or its result "
            "has come already") {}
};

/// The goal handle will not hear of the goal's result.
class UnawareGoalHandleError : public std::runtime_error {
 public:
  UnawareGoalHandleError(  // NOLINT: implicit, as in rclcpp_action
      const std::string & message =
          "the goal handle does not hear of the goal's result: nobody has asked for it, or the "
          "client is gone")
      : std::runtime_error(message) {}
};

}  // namespace exceptions
}  // namespace rclcpp_action

#endif  // RCLCPP_ACTION__EXCEPTIONS_HPP_
