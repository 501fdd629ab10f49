// A client's goals and its entities, which outlive it for as long as a callback runs.
#pragma once

#include <deque>
#include <map>
#include <memory>
#include <mutex>
#include <string>

#include "entities.hpp"
#include "rclcpp/context.hpp"
#include "rclcpp/logger.hpp"
#include "rclcpp_action/client_base.hpp"

namespace rclcpp_action::detail {

/// Thread-safe. No lock is held while a callback of the user runs or a request is sent.
class ClientState : public std::enable_shared_from_this<ClientState> {
 public:
  using Handle = std::shared_ptr<ClientGoalHandleBase>;
  using CancelGoal = action_msgs::srv::CancelGoal;

  explicit ClientState(ClientSetup && setup);
  /// \throws as Client().
  void open();
  /// Its handles hear nothing more.
  void close();

  bool is_ready() const;
  /// \throws rclcpp::exceptions::InvalidNodeError.
  bool wait_until_ready(std::chrono::nanoseconds timeout) const;
  void configure_introspection(const rclcpp::Clock::SharedPtr & clock, const rclcpp::QoS & qos,
                               rcl_service_introspection_state_t state);
  const tandem::ActionType & type() const { return *setup_.type; }

  // As those of ClientBase.
  void send_goal(const void * request, GoalPlan plan);
  void ask_for_result(const Handle & handle);
  void cancel(const CancelGoal::Request & request, std::function<void(std::shared_ptr<CancelGoal::Response>)> callback);
  Handle find(const GoalUUID & id) const;
  void stop(const Handle & handle);

 private:
  using Response = std::shared_ptr<void>;
  /// What was said of a goal before the answer to its request was handled.
  using EarlyFeedback = std::deque<Received>;

  void on_goal_response(const GoalUUID & id, const GoalPlan & plan, EarlyFeedback & early, const Response & response);
  void deliver(const Handle & handle, EarlyFeedback & early);
  void on_result_response(const Handle & handle, const Response & response);
  void on_feedback(tandem::transport::Sample & sample);
  void on_status(tandem::transport::Sample & sample);
  void forget(const GoalUUID & id);

  ClientSetup setup_;  // the parts of the node and the group only until open()
  const rclcpp::node_interfaces::NodeBaseInterface::WeakPtr node_;
  const rclcpp::Context::SharedPtr context_;
  // From open() on these do not change.
  rclcpp::GenericClient::SharedPtr goal_client_;
  rclcpp::GenericClient::SharedPtr cancel_client_;
  rclcpp::GenericClient::SharedPtr result_client_;
  rclcpp::SubscriptionBase::SharedPtr feedback_;
  rclcpp::SubscriptionBase::SharedPtr status_;

  mutable std::mutex mutex_;
  std::map<GoalUUID, std::weak_ptr<ClientGoalHandleBase>> goals_;  // guarded by mutex_; until their results have come
  std::map<GoalUUID, std::weak_ptr<EarlyFeedback>> unanswered_;    // guarded by mutex_, with what they point to
};

}  // namespace rclcpp_action::detail
