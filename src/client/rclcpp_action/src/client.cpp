#include "rclcpp_action/client.hpp"

#include <random>

#include "client_state.hpp"

namespace rclcpp_action {

ClientBase::ClientBase(detail::ClientSetup && setup) : state_(std::make_shared<detail::ClientState>(std::move(setup))) {
  state_->open();
}

ClientBase::~ClientBase() { state_->close(); }

bool ClientBase::action_server_is_ready() const { return state_->is_ready(); }

bool ClientBase::wait_for_action_server_nanoseconds(std::chrono::nanoseconds timeout) {
  return state_->wait_until_ready(timeout);
}

void ClientBase::configure_introspection(rclcpp::Clock::SharedPtr clock, const rclcpp::QoS & qos_service_event_pub,
                                         rcl_service_introspection_state_t introspection_state) {
  state_->configure_introspection(clock, qos_service_event_pub, introspection_state);
}

const tandem::ActionType & ClientBase::type() const { return state_->type(); }

GoalUUID ClientBase::generate_goal_id() {
  std::random_device random;
  GoalUUID id;
  for (auto & byte : id) byte = static_cast<uint8_t>(random());
  return id;
}

void ClientBase::send_goal(const void * request, detail::GoalPlan plan) { state_->send_goal(request, std::move(plan)); }

void ClientBase::ask_for_result(const std::shared_ptr<detail::ClientGoalHandleBase> & handle) {
  state_->ask_for_result(handle);
}

void ClientBase::cancel(const CancelRequestMessage & request,
                        std::function<void(std::shared_ptr<CancelResponseMessage>)> callback) {
  state_->cancel(request, std::move(callback));
}

void ClientBase::require_known(const detail::ClientGoalHandleBase & handle) const {
  if (state_->find(handle.get_goal_id()).get() != &handle) throw exceptions::UnknownGoalHandleError();
}

std::shared_ptr<detail::ClientGoalHandleBase> ClientBase::find(const GoalUUID & goal_id) const {
  return state_->find(goal_id);
}

void ClientBase::stop(const std::shared_ptr<detail::ClientGoalHandleBase> & handle) { state_->stop(handle); }

// ---- goal handles --------------------------------------------------------------------------------------------------

namespace detail {

ClientGoalHandleBase::ClientGoalHandleBase(const GoalInfo & info, FeedbackFunction feedback_callback)
    : info_(info), feedback_callback_(std::move(feedback_callback)) {}

ClientGoalHandleBase::~ClientGoalHandleBase() = default;

int8_t ClientGoalHandleBase::get_status() {
  const std::lock_guard<std::mutex> lock(mutex_);
  return status_;
}

bool ClientGoalHandleBase::is_feedback_aware() {
  const std::lock_guard<std::mutex> lock(mutex_);
  return static_cast<bool>(feedback_callback_);
}

bool ClientGoalHandleBase::is_result_aware() {
  const std::lock_guard<std::mutex> lock(mutex_);
  return is_result_aware_;
}

bool ClientGoalHandleBase::end(std::int8_t status) {
  const std::lock_guard<std::mutex> lock(mutex_);
  if (has_ended_) return false;
  has_ended_ = true;
  status_ = status;
  return true;
}

bool ClientGoalHandleBase::exchange_result_aware(bool is_aware) {
  const std::lock_guard<std::mutex> lock(mutex_);
  return std::exchange(is_result_aware_, is_aware);
}

void ClientGoalHandleBase::set_status(std::int8_t status) {
  const std::lock_guard<std::mutex> lock(mutex_);
  if (!has_ended_) status_ = status;  // a status that is older than the result may come after it
}

void ClientGoalHandleBase::call_feedback(const std::shared_ptr<ClientGoalHandleBase> & self,
                                         const Received & feedback) {
  const std::lock_guard<std::recursive_mutex> calling(callback_mutex_);
  FeedbackFunction callback;
  {
    const std::lock_guard<std::mutex> lock(mutex_);
    callback = feedback_callback_;
  }
  if (callback) callback(self, feedback);
}

void ClientGoalHandleBase::stop_callbacks() {
  const std::lock_guard<std::recursive_mutex> calling(callback_mutex_);
  drop_result_callback();
  FeedbackFunction dropped;
  const std::lock_guard<std::mutex> lock(mutex_);
  feedback_callback_.swap(dropped);
}

}  // namespace detail
}  // namespace rclcpp_action
