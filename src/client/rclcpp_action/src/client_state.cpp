#include "client_state.hpp"

#include <utility>
#include <vector>

#include "action_messages.hpp"
#include "action_msgs/msg/goal_status_array.hpp"
#include "rclcpp/detail/wait_until.hpp"
#include "rclcpp/exceptions.hpp"

namespace rclcpp_action::detail {

namespace {

/// Of the feedback on a goal that is not answered yet, the latest are kept.
constexpr std::size_t kMostEarlyFeedback = 64;

template <class MapT>
void erase_expired(MapT & map) {
  for (auto it = map.begin(); it != map.end();) it = it->second.expired() ? map.erase(it) : std::next(it);
}

/// What a map of weak pointers has under the id, if it is there still.
template <class MapT>
auto locked(const MapT & map, const GoalUUID & id) -> decltype(map.begin()->second.lock()) {
  const auto found = map.find(id);
  return found != map.end() ? found->second.lock() : nullptr;
}

}  // namespace

ClientState::ClientState(ClientSetup && setup)
    : setup_(std::move(setup)), node_(setup_.base), context_(setup_.base->get_context()) {}

void ClientState::open() {
  EntityMaker maker(std::move(setup_.base), setup_.name, std::move(setup_.group));
  const auto & options = setup_.options;
  const auto calling = [this](void (ClientState::*handle)(tandem::transport::Sample &)) {
    return [weak = weak_from_this(), handle](tandem::transport::Sample & sample) {
      if (const auto self = weak.lock()) (self.get()->*handle)(sample);
    };
  };
  status_ = maker.subscription(tandem::message_type<action_msgs::msg::GoalStatusArray>(), "status",
                               options.status_topic_qos, calling(&ClientState::on_status));
  feedback_ = maker.subscription(*type().feedback_message, "feedback", options.feedback_topic_qos,
                                 calling(&ClientState::on_feedback));
  result_client_ = maker.client(*type().get_result, "get_result", options.result_service_qos);
  cancel_client_ = maker.client(tandem::service_type<CancelGoal>(), "cancel_goal", options.cancel_service_qos);
  goal_client_ = maker.client(*type().send_goal, "send_goal", options.goal_service_qos);
}

void ClientState::close() {
  std::map<GoalUUID, std::weak_ptr<ClientGoalHandleBase>> goals;
  {
    const std::lock_guard<std::mutex> lock(mutex_);
    goals.swap(goals_);
  }
  for (const auto & [id, weak] : goals) {
    if (const auto handle = weak.lock()) handle->invalidate(exceptions::UnawareGoalHandleError());
  }
}

bool ClientState::is_ready() const {
  return goal_client_->service_is_ready() && cancel_client_->service_is_ready() && result_client_->service_is_ready() &&
         feedback_->get_publisher_count() != 0 && status_->get_publisher_count() != 0;
}

bool ClientState::wait_until_ready(std::chrono::nanoseconds timeout) const {
  if (node_.expired()) throw rclcpp::exceptions::InvalidNodeError();
  return rclcpp::detail::wait_until(*context_, timeout, [this] { return is_ready(); });
}

void ClientState::configure_introspection(const rclcpp::Clock::SharedPtr & clock, const rclcpp::QoS & qos,
                                          rcl_service_introspection_state_t state) {
  for (const auto & client : {goal_client_, cancel_client_, result_client_}) {
    client->configure_introspection(clock, qos, state);
  }
}

// ---- goals ---------------------------------------------------------------------------------------------------------

ClientState::Handle ClientState::find(const GoalUUID & id) const {
  const std::lock_guard<std::mutex> lock(mutex_);
  return locked(goals_, id);
}

void ClientState::forget(const GoalUUID & id) {
  const std::lock_guard<std::mutex> lock(mutex_);
  goals_.erase(id);
}

void ClientState::send_goal(const void * request, GoalPlan plan) {
  const GoalUUID id = goal_id(*type().send_goal->request, request);
  const auto early = std::make_shared<EarlyFeedback>();
  {
    const std::lock_guard<std::mutex> lock(mutex_);
    erase_expired(goals_);
    erase_expired(unanswered_);
    unanswered_[id] = early;
  }
  goal_client_->async_send_request(
      const_cast<void *>(request),  // it is copied
      [weak = weak_from_this(), id, plan = std::move(plan), early](const rclcpp::GenericClient::SharedFuture & future) {
        if (const auto self = weak.lock()) self->on_goal_response(id, plan, *early, future.get());
      });
}

void ClientState::on_goal_response(const GoalUUID & id, const GoalPlan & plan, EarlyFeedback & early,
                                   const Response & response) {
  const tandem::MessageType & its_type = *type().send_goal->response;
  if (!*static_cast<const bool *>(field(its_type, response.get(), fields::kAccepted))) {
    plan.answered(nullptr);
    return;
  }
  GoalInfo info;
  info.goal_id.uuid = id;
  info.stamp = *static_cast<const builtin_interfaces::msg::Time *>(field(its_type, response.get(), fields::kStamp));
  const Handle handle = plan.make_handle(info);
  {
    const std::lock_guard<std::mutex> lock(mutex_);
    goals_[id] = handle;
  }
  plan.answered(handle);
  deliver(handle, early);
  if (plan.asks_for_result) ask_for_result(handle);
}

void ClientState::deliver(const Handle & handle, EarlyFeedback & early) {
  for (;;) {
    Received next;
    {
      const std::lock_guard<std::mutex> lock(mutex_);
      if (early.empty()) {
        unanswered_.erase(handle->get_goal_id());  // from now on feedback does not wait for what is here
        return;
      }
      next = std::move(early.front());
      early.pop_front();
    }
    handle->call_feedback(handle, next);
  }
}

void ClientState::ask_for_result(const Handle & handle) {
  if (handle->exchange_result_aware(true)) return;
  const auto & its_type = *type().get_result->request;
  const auto request = tandem::make_message(its_type);
  goal_id(its_type, request.get()) = handle->get_goal_id();
  try {
    result_client_->async_send_request(
        request.get(), [weak = weak_from_this(), handle](const rclcpp::GenericClient::SharedFuture & future) {
          if (const auto self = weak.lock()) self->on_result_response(handle, future.get());
        });
  } catch (const rclcpp::exceptions::RCLErrorBase & error) {
    handle->invalidate(exceptions::UnawareGoalHandleError(error.message));
  }
}

void ClientState::on_result_response(const Handle & handle, const Response & response) {
  const auto & its_type = *type().get_result->response;
  const auto status = *static_cast<const std::int8_t *>(field(its_type, response.get(), fields::kStatus));
  handle->set_result(status, {response, field(its_type, response.get(), fields::kResult)});
  forget(handle->get_goal_id());
}

void ClientState::cancel(const CancelGoal::Request & request,
                         std::function<void(std::shared_ptr<CancelGoal::Response>)> callback) {
  cancel_client_->async_send_request(
      const_cast<CancelGoal::Request *>(&request),  // it is copied
      [callback = std::move(callback)](const rclcpp::GenericClient::SharedFuture & future) {
        callback(std::static_pointer_cast<CancelGoal::Response>(future.get()));
      });
}

void ClientState::stop(const Handle & handle) {
  handle->stop_callbacks();
  forget(handle->get_goal_id());
}

// ---- topics --------------------------------------------------------------------------------------------------------

void ClientState::on_feedback(tandem::transport::Sample & sample) {
  const auto & its_type = *type().feedback_message;
  const GoalUUID & id = goal_id(its_type, sample.message);
  const Received feedback{sample.keeper, field(its_type, sample.message, fields::kFeedback)};
  Handle handle;
  {
    const std::lock_guard<std::mutex> lock(mutex_);
    if (const auto early = locked(unanswered_, id)) {
      if (early->size() == kMostEarlyFeedback) early->pop_front();
      early->push_back(feedback);
      return;
    }
    handle = locked(goals_, id);
  }
  // Of another client, or of a goal that nobody keeps, there is none.
  if (handle) handle->call_feedback(handle, feedback);
}

void ClientState::on_status(tandem::transport::Sample & sample) {
  for (const GoalStatus & status :
       static_cast<const action_msgs::msg::GoalStatusArray *>(sample.message)->status_list) {
    if (const Handle handle = find(status.goal_info.goal_id.uuid)) handle->set_status(status.status);
  }
}

}  // namespace rclcpp_action::detail
