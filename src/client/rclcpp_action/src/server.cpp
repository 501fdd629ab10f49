#include "rclcpp_action/server.hpp"

#include "rclcpp/exceptions.hpp"
#include "rclcpp/logging.hpp"
#include "server_state.hpp"

namespace rclcpp_action {
namespace {

/// By their numbers.
constexpr const char * kStates[] = {"UNKNOWN",   "ACCEPTED", "EXECUTING", "CANCELING",
                                    "SUCCEEDED", "CANCELED", "ABORTED"};
constexpr const char * kEvents[] = {"executed", "cancelled by request", "ended by succeed()", "ended by abort()",
                                    "ended by canceled()"};

void change(detail::ServerGoal & goal, rcl_action_goal_event_t event) {
  const std::int8_t before = goal.state.get();
  if (goal.state.change(event)) return;
  throw rclcpp::exceptions::RCLError(RCL_RET_ACTION_GOAL_EVENT_INVALID,
                                     "action server '" + goal.action + "': the goal " +
                                         to_string(goal.info.goal_id.uuid) + " cannot be " + kEvents[event] +
                                         ", since it is " + kStates[before]);
}

}  // namespace

ServerBase::ServerBase(detail::ServerSetup && setup) : state_(std::make_shared<detail::ServerState>(std::move(setup))) {
  state_->open();
}

ServerBase::~ServerBase() = default;

void ServerBase::configure_introspection(rclcpp::Clock::SharedPtr clock, const rclcpp::QoS & qos_service_event_pub,
                                         rcl_service_introspection_state_t introspection_state) {
  state_->configure_introspection(clock, qos_service_event_pub, introspection_state);
}

ServerGoalHandleBase::ServerGoalHandleBase(std::shared_ptr<detail::ServerGoal> goal) : goal_(std::move(goal)) {}
ServerGoalHandleBase::~ServerGoalHandleBase() = default;

bool ServerGoalHandleBase::is_canceling() const { return goal_->state.get() == GOAL_STATE_CANCELING; }
bool ServerGoalHandleBase::is_active() const { return goal_->state.is_active(); }
bool ServerGoalHandleBase::is_executing() const { return goal_->state.get() == GOAL_STATE_EXECUTING; }
const GoalUUID & ServerGoalHandleBase::get_goal_id() const { return goal_->info.goal_id.uuid; }

void ServerGoalHandleBase::begin() {
  change(*goal_, GOAL_EVENT_EXECUTE);
  if (const auto server = goal_->server.lock()) server->publish_status();
}

void ServerGoalHandleBase::end(rcl_action_goal_event_t event, std::shared_ptr<void> result_response) {
  change(*goal_, event);
  if (const auto server = goal_->server.lock()) server->finish(*goal_, std::move(result_response));
}

void ServerGoalHandleBase::end_if_active(std::shared_ptr<void> result_response) noexcept {
  goal_->state.change(GOAL_EVENT_CANCEL_GOAL);  // unless it is cancelling already
  if (!goal_->state.change(GOAL_EVENT_CANCELED)) return;
  const auto server = goal_->server.lock();
  if (!server) return;
  try {
    server->finish(*goal_, std::move(result_response));
  } catch (const std::exception & error) {
    RCLCPP_ERROR(server->logger(), "action server '%s': %s", goal_->action.c_str(), error.what());
  }
}

void ServerGoalHandleBase::publish(tandem::OwnedMessage feedback_message) {
  if (const auto server = goal_->server.lock()) server->publish_feedback(std::move(feedback_message));
}

}  // namespace rclcpp_action
