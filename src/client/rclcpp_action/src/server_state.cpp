#include "server_state.hpp"

#include <algorithm>
#include <stdexcept>

#include "action_messages.hpp"
#include "action_msgs/msg/goal_status_array.hpp"
#include "rclcpp/exceptions.hpp"
#include "rclcpp/logging.hpp"
#include "rclcpp/time.hpp"

namespace rclcpp_action::detail {
namespace {

using CancelResponseMessage = action_msgs::srv::CancelGoal::Response;

ServerSetup checked(ServerSetup && setup) {
  const auto & callbacks = setup.callbacks;
  if (!callbacks.handle_goal || !callbacks.handle_cancel || !callbacks.handle_accepted) {
    throw std::invalid_argument("action server '" + setup.name + "': a callback is null");
  }
  if (setup.options.result_timeout.nanoseconds < 0) {
    throw std::invalid_argument("action server '" + setup.name + "': the timeout of results is negative");
  }
  return std::move(setup);
}

}  // namespace

ServerState::ServerState(ServerSetup && setup)
    : setup_(checked(std::move(setup))),
      clock_(setup_.clock->get_clock()),
      logger_(setup_.logging->get_logger().get_child("rclcpp_action")) {}

std::function<void(ServerState::Header, ServerState::Request)> ServerState::calling(
    void (ServerState::*handle)(rmw_request_id_t, const Request &)) {
  return [weak = weak_from_this(), handle](const Header & header, const Request & request) {
    if (const auto self = weak.lock()) (self.get()->*handle)(*header, request);
  };
}

void ServerState::open() {
  EntityMaker maker(std::move(setup_.base), setup_.name, std::move(setup_.group));
  setup_.clock.reset();
  setup_.logging.reset();
  action_ = maker.action();
  const tandem::ActionType & type = *setup_.type;
  const auto & options = setup_.options;
  feedback_ = maker.publisher(*type.feedback_message, "feedback", options.feedback_topic_qos);
  status_ =
      maker.publisher(tandem::message_type<action_msgs::msg::GoalStatusArray>(), "status", options.status_topic_qos);
  expiry_timer_ =
      maker.timer(clock_, std::chrono::nanoseconds(options.result_timeout.nanoseconds), [weak = weak_from_this()] {
        if (const auto self = weak.lock()) self->on_expiry_timer();
      });
  result_service_ = maker.service(*type.get_result, "get_result", options.result_service_qos,
                                  calling(&ServerState::on_result_request));
  cancel_service_ = maker.service(tandem::service_type<CancelGoal>(), "cancel_goal", options.cancel_service_qos,
                                  calling(&ServerState::on_cancel_request));
  goal_service_ =
      maker.service(*type.send_goal, "send_goal", options.goal_service_qos, calling(&ServerState::on_goal_request));
}

void ServerState::configure_introspection(const rclcpp::Clock::SharedPtr & clock, const rclcpp::QoS & qos,
                                          rcl_service_introspection_state_t state) {
  for (const auto & service : {goal_service_, cancel_service_, result_service_}) {
    service->configure_introspection(clock, qos, state);
  }
}

bool ServerState::respond(rclcpp::GenericService & service, rmw_request_id_t header,
                          std::shared_ptr<void> response) const {
  try {
    service.send_response(header, response);
    return true;
  } catch (const std::exception & error) {
    RCLCPP_ERROR(logger_, "action server '%s': %s; the client waits in vain", action_.c_str(), error.what());
    return false;
  }
}

// ---- goals ---------------------------------------------------------------------------------------------------------

std::shared_ptr<ServerGoal> ServerState::find(const GoalUUID & id) const {
  const auto found = by_id_.find(id);
  return found != by_id_.end() ? *found->second : nullptr;
}

GoalResponse ServerState::decide(const GoalUUID & id, const Request & request) {
  std::unique_lock<std::mutex> lock(mutex_);
  expire();
  const bool is_known = find(id) != nullptr;
  lock.unlock();
  if (!is_known) return setup_.callbacks.handle_goal(id, request);
  RCLCPP_WARN(logger_, "action server '%s': the goal %s is rejected, since there is one of that id already",
              action_.c_str(), to_string(id).c_str());
  return GoalResponse::REJECT;
}

std::shared_ptr<ServerGoalHandleBase> ServerState::accept(const GoalInfo & info, bool is_executing,
                                                          const Request & request) {
  const auto goal = std::make_shared<ServerGoal>(weak_from_this(), action_, info, is_executing);
  auto handle = setup_.callbacks.make_handle(goal, request);
  goal->handle = handle;
  const std::lock_guard<std::mutex> lock(mutex_);
  if (find(info.goal_id.uuid)) return nullptr;  // sent twice, and taken by two threads
  by_id_.emplace(info.goal_id.uuid, goals_.insert(goals_.end(), goal));
  return handle;
}

void ServerState::forget(const GoalUUID & id) {
  const std::lock_guard<std::mutex> lock(mutex_);
  const auto found = by_id_.find(id);
  if (found == by_id_.end() || (*found->second)->result) return;  // one that has ended goes when its result expires
  goals_.erase(found->second);
  by_id_.erase(found);
}

void ServerState::on_goal_request(rmw_request_id_t header, const Request & request) {
  const tandem::ServiceType & type = *setup_.type->send_goal;
  GoalInfo info;
  info.goal_id.uuid = goal_id(*type.request, request.get());
  const GoalResponse decision = decide(info.goal_id.uuid, request);
  const bool is_executing = decision == GoalResponse::ACCEPT_AND_EXECUTE;
  const bool is_accepted = is_executing || decision == GoalResponse::ACCEPT_AND_DEFER;
  // It is there before the client is told, which may ask for its result at once.
  info.stamp = clock_->now();
  const auto handle = is_accepted ? accept(info, is_executing, request) : nullptr;
  const std::shared_ptr<void> response = tandem::make_message(*type.response);
  *static_cast<bool *>(field(*type.response, response.get(), fields::kAccepted)) = handle != nullptr;
  if (handle) {
    *static_cast<builtin_interfaces::msg::Time *>(field(*type.response, response.get(), fields::kStamp)) = info.stamp;
  }
  if (!respond(*goal_service_, header, response)) {
    if (handle) forget(info.goal_id.uuid);
    return;
  }
  if (!handle) return;
  publish_status();
  setup_.callbacks.handle_accepted(handle);
}

void ServerState::finish(ServerGoal & goal, std::shared_ptr<void> result_response) {
  const std::int64_t now = clock_->now().nanoseconds();
  std::vector<rmw_request_id_t> waiting;
  {
    const std::lock_guard<std::mutex> lock(mutex_);
    if (find(goal.info.goal_id.uuid).get() != &goal) return;  // its client could not be told that it was accepted
    goal.result = result_response;
    waiting.swap(goal.waiting);
    ended_.emplace_back(now, goal.info.goal_id.uuid);
  }
  for (const auto & header : waiting) respond(*result_service_, header, result_response);
  if (expiry_timer_->is_canceled()) expiry_timer_->reset();
  publish_status();
}

void ServerState::publish_status() {
  const std::lock_guard<std::mutex> order(status_mutex_);
  auto message = std::make_unique<action_msgs::msg::GoalStatusArray>();
  {
    const std::lock_guard<std::mutex> lock(mutex_);
    expire();
    message->status_list.reserve(goals_.size());
    for (const auto & goal : goals_) {
      GoalStatus status;
      status.goal_info = goal->info;
      status.status = goal->state.get();
      message->status_list.push_back(status);
    }
  }
  status_->publish_owned(tandem::erase_type(std::move(message)));
}

// ---- results -------------------------------------------------------------------------------------------------------

void ServerState::on_result_request(rmw_request_id_t header, const Request & request) {
  const tandem::ServiceType & type = *setup_.type->get_result;
  std::shared_ptr<void> response;
  {
    const std::lock_guard<std::mutex> lock(mutex_);
    expire();
    if (const auto goal = find(goal_id(*type.request, request.get()))) {
      if (!goal->result) {
        goal->waiting.push_back(header);
        return;
      }
      response = goal->result;
    }
  }
  if (!response) {  // an unknown goal: the status says so
    response = tandem::make_message(*type.response);
    *static_cast<std::int8_t *>(field(*type.response, response.get(), fields::kStatus)) = GoalStatus::STATUS_UNKNOWN;
  }
  respond(*result_service_, header, std::move(response));
}

void ServerState::expire() {
  const std::int64_t now = clock_->now().nanoseconds();
  while (!ended_.empty() && now - ended_.front().first > setup_.options.result_timeout.nanoseconds) {
    const auto found = by_id_.find(ended_.front().second);
    goals_.erase(found->second);
    by_id_.erase(found);
    ended_.pop_front();
  }
}

void ServerState::on_expiry_timer() {
  // First: a goal that ends from now on finds it cancelled, and starts it again.
  expiry_timer_->cancel();
  bool has_more = false;
  {
    const std::lock_guard<std::mutex> lock(mutex_);
    expire();
    has_more = !ended_.empty();
  }
  if (has_more) expiry_timer_->reset();
}

// ---- cancelling ----------------------------------------------------------------------------------------------------

std::vector<std::shared_ptr<ServerGoal>> ServerState::chosen(const CancelGoal::Request & request, std::int8_t & code) {
  const GoalUUID & id = request.goal_info.goal_id.uuid;
  const bool has_id = id != GoalUUID{};
  const rclcpp::Time stamp = request.goal_info.stamp;
  const bool has_stamp = stamp.nanoseconds() != 0;
  std::vector<std::shared_ptr<ServerGoal>> goals;
  const std::lock_guard<std::mutex> lock(mutex_);
  expire();
  code = CancelResponseMessage::ERROR_NONE;
  if (has_id && !has_stamp) {  // this one
    const auto goal = find(id);
    if (goal && goal->state.is_cancelable()) {
      goals.push_back(goal);
    } else {
      code = goal ? CancelResponseMessage::ERROR_GOAL_TERMINATED : CancelResponseMessage::ERROR_UNKNOWN_GOAL_ID;
    }
    return goals;
  }
  for (const auto & goal : goals_) {  // all; or those that were accepted by then, and this one
    const bool is_meant = !has_stamp || rclcpp::Time(goal->info.stamp) <= stamp || goal->info.goal_id.uuid == id;
    if (is_meant && goal->state.is_cancelable()) goals.push_back(goal);
  }
  return goals;
}

bool ServerState::cancel(ServerGoal & goal) {
  std::unique_lock<std::mutex> lock(mutex_);
  const auto handle = goal.handle.lock();
  lock.unlock();
  return handle && setup_.callbacks.handle_cancel(handle) == CancelResponse::ACCEPT &&
         goal.state.change(GOAL_EVENT_CANCEL_GOAL);
}

void ServerState::on_cancel_request(rmw_request_id_t header, const Request & request) {
  const auto response = std::make_shared<CancelResponseMessage>();
  const auto goals = chosen(*static_cast<const CancelGoal::Request *>(request.get()), response->return_code);
  for (const auto & goal : goals) {
    if (cancel(*goal)) response->goals_canceling.push_back(goal->info);
  }
  if (!goals.empty() && response->goals_canceling.empty()) {
    response->return_code = CancelResponseMessage::ERROR_REJECTED;
  }
  if (!response->goals_canceling.empty()) publish_status();
  respond(*cancel_service_, header, response);
}

}  // namespace rclcpp_action::detail
