#include "rclcpp_action/generic_client.hpp"

#include <stdexcept>

#include "action_messages.hpp"
#include "rclcpp_action/create_generic_client.hpp"
#include "tandem/owned_message.hpp"
#include "tandem/type_library.hpp"

namespace rclcpp_action {

std::shared_future<GenericClientGoalHandle::SharedPtr> GenericClient::async_send_goal(const Goal goal,
                                                                                      std::size_t goal_size,
                                                                                      const SendGoalOptions & options) {
  const tandem::MessageType & goal_type = *type().goal;
  if (goal == nullptr || goal_size != goal_type.size) {
    throw std::invalid_argument(std::string("a goal of type ") + goal_type.name + " has " +
                                std::to_string(goal_type.size) + " bytes; given were " +
                                (goal != nullptr ? std::to_string(goal_size) : "none"));
  }
  const tandem::MessageType & request_type = *type().send_goal->request;
  const auto request = tandem::make_message(request_type);
  detail::goal_id(request_type, request.get()) = generate_goal_id();
  goal_type.assign(detail::field(request_type, request.get(), detail::fields::kGoal), goal);
  return send(request.get(), options);
}

std::shared_future<GenericClientGoalHandle::SharedPtr> GenericClient::async_send_goal(const GoalRequest goal_request,
                                                                                      const SendGoalOptions & options) {
  if (goal_request == nullptr) throw std::invalid_argument("the request of a goal is a null pointer");
  return send(goal_request, options);
}

// NOLINTNEXTLINE(readability-function-size): the parameters are those of ROS 2
GenericClient::SharedPtr create_generic_client(
    rclcpp::node_interfaces::NodeBaseInterface::SharedPtr node_base_interface,
    rclcpp::node_interfaces::NodeGraphInterface::SharedPtr /*node_graph_interface*/,
    rclcpp::node_interfaces::NodeLoggingInterface::SharedPtr /*node_logging_interface*/,
    rclcpp::node_interfaces::NodeWaitablesInterface::SharedPtr /*node_waitables_interface*/, const std::string & name,
    const std::string & type, rclcpp::CallbackGroup::SharedPtr group, const rcl_action_client_options_t & options) {
  const auto found = tandem::find_action_type(type);
  if (!found) throw std::runtime_error(found.error());
  return std::make_shared<GenericClient>(
      detail::ClientSetup{std::move(node_base_interface), name, *found, options, std::move(group)});
}

}  // namespace rclcpp_action
