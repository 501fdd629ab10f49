// A goal, as the server that has accepted it sees it.
#ifndef RCLCPP_ACTION__SERVER_GOAL_HANDLE_HPP_
#define RCLCPP_ACTION__SERVER_GOAL_HANDLE_HPP_

#include <memory>
#include <stdexcept>
#include <string>
#include <utility>

#include "action_msgs/msg/goal_status.hpp"
#include "rclcpp/macros.hpp"
#include "rclcpp_action/types.hpp"
#include "rclcpp_action/visibility_control.hpp"
#include "tandem/owned_message.hpp"

namespace rclcpp_action {

namespace detail {
class ServerState;
struct ServerGoal;
}  // namespace detail

/// What goal handles of every type have in common. Thread-safe.
class RCLCPP_ACTION_PUBLIC ServerGoalHandleBase {
 public:
  RCLCPP_DISABLE_COPY(ServerGoalHandleBase)
  virtual ~ServerGoalHandleBase();

  /// Whether a request to cancel it was accepted, and it has not ended.
  bool is_canceling() const;
  /// Whether it has not ended.
  bool is_active() const;
  bool is_executing() const;
  const GoalUUID & get_goal_id() const;

 protected:
  explicit ServerGoalHandleBase(std::shared_ptr<detail::ServerGoal> goal);

  // Each throws rclcpp::exceptions::RCLError when the goal's state does not allow it. Clients and status are told, unless the
  // server is gone.
  void begin();
  void end(rcl_action_goal_event_t event, std::shared_ptr<void> result_response);
  /// Of one that is dropped: ends it as cancelled if it has not ended. What fails is logged.
  void end_if_active(std::shared_ptr<void> result_response) noexcept;
  /// Ignored when the server is gone. \throws rclcpp::exceptions::RCLError.
  void publish(tandem::OwnedMessage feedback_message);

 private:
  const std::shared_ptr<detail::ServerGoal> goal_;
};

template <class ActionT>
class Server;

/// Made by the server for each goal that it accepts. A goal ends by succeed(), abort() or canceled(), once. Its handle may
/// outlive the server: then nobody hears of it. Thread-safe.
///
/// The last three throw std::invalid_argument for null, and rclcpp::exceptions::RCLError when the goal's state does not
/// allow it.
template <class ActionT>
class ServerGoalHandle : public ServerGoalHandleBase {
 public:
  /// A goal whose handle goes before it has ended ends as cancelled, with an empty result.
  ~ServerGoalHandle() override {
    if (is_active()) end_if_active(response(GoalStatus::STATUS_CANCELED));
  }

  /// Ignored when the server is gone. \throws std::invalid_argument for null; rclcpp::exceptions::RCLError.
  void publish_feedback(std::shared_ptr<typename ActionT::Feedback> feedback_msg) {
    require(feedback_msg.get(), "feedback");
    auto message = std::make_unique<typename ActionT::Impl::FeedbackMessage>();
    message->goal_id.uuid = get_goal_id();
    message->feedback = *feedback_msg;
    publish(tandem::erase_type(std::move(message)));
  }

  /// Executing or cancelling.
  void abort(typename ActionT::Result::SharedPtr result_msg) {
    end(GOAL_EVENT_ABORT, response(GoalStatus::STATUS_ABORTED, result_msg));
  }
  /// Executing or cancelling.
  void succeed(typename ActionT::Result::SharedPtr result_msg) {
    end(GOAL_EVENT_SUCCEED, response(GoalStatus::STATUS_SUCCEEDED, result_msg));
  }
  /// Cancelling.
  void canceled(typename ActionT::Result::SharedPtr result_msg) {
    end(GOAL_EVENT_CANCELED, response(GoalStatus::STATUS_CANCELED, result_msg));
  }
  /// Begins a goal that was accepted with ACCEPT_AND_DEFER. \throws rclcpp::exceptions::RCLError for any other.
  void execute() { begin(); }

  std::shared_ptr<const typename ActionT::Goal> get_goal() const { return goal_; }

 private:
  friend class Server<ActionT>;
  using Response = typename ActionT::Impl::GetResultService::Response;

  ServerGoalHandle(std::shared_ptr<detail::ServerGoal> of_server, std::shared_ptr<const typename ActionT::Goal> goal)
      : ServerGoalHandleBase(std::move(of_server)), goal_(std::move(goal)) {}

  static void require(const void * message, const char * what) {
    if (message == nullptr) throw std::invalid_argument(std::string("the ") + what + " of a goal is a null pointer");
  }
  static std::shared_ptr<void> response(int8_t status) {
    auto message = std::make_shared<Response>();
    message->status = status;
    return message;
  }
  static std::shared_ptr<void> response(int8_t status, const typename ActionT::Result::SharedPtr & result) {
    require(result.get(), "result");
    auto message = std::make_shared<Response>();
    message->status = status;
    message->result = *result;
    return message;
  }

  const std::shared_ptr<const typename ActionT::Goal> goal_;
};

}  // namespace rclcpp_action

#endif  // RCLCPP_ACTION__SERVER_GOAL_HANDLE_HPP_
