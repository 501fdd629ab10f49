// A client of actions whose type is known at run time only.
#ifndef RCLCPP_ACTION__GENERIC_CLIENT_HPP_
#define RCLCPP_ACTION__GENERIC_CLIENT_HPP_

#include <cstddef>
#include <future>
#include <utility>

#include "rclcpp/macros.hpp"
#include "rclcpp_action/client.hpp"
#include "rclcpp_action/generic_client_goal_handle.hpp"
#include "rclcpp_action/visibility_control.hpp"

namespace rclcpp_action {

/// create_generic_client() makes it. Goals, feedback and results are messages of the action's types, by pointers without a
/// type. Thread-safe.
class RCLCPP_ACTION_PUBLIC GenericClient : public detail::TypedClient<GenericClientGoalHandle> {
 public:
  RCLCPP_SMART_PTR_DEFINITIONS_NOT_COPYABLE(GenericClient)

  using Goal = void *;
  using GoalRequest = void *;  ///< of the service send_goal: the goal's id and the goal

  /// \throws as Client().
  explicit GenericClient(detail::ClientSetup && setup) : TypedClient(std::move(setup)) {}

  /// Sends a copy of the goal, as Client::async_send_goal(). \param goal_size of the goal's type, for comparison.
  /// \throws std::invalid_argument for null or another size; rclcpp::exceptions::RCLError.
  std::shared_future<GenericClientGoalHandle::SharedPtr> async_send_goal(
      const Goal goal, std::size_t goal_size, const SendGoalOptions & options = SendGoalOptions());
  /// The same with an id of one's choice. \throws std::invalid_argument for null; rclcpp::exceptions::RCLError.
  std::shared_future<GenericClientGoalHandle::SharedPtr> async_send_goal(
      const GoalRequest goal_request, const SendGoalOptions & options = SendGoalOptions());
};

}  // namespace rclcpp_action

#endif  // RCLCPP_ACTION__GENERIC_CLIENT_HPP_
