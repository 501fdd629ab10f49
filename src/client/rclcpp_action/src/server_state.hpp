// A server's goals and its entities, which outlive it for as long as a callback runs.
#pragma once

#include <cstdint>
#include <deque>
#include <list>
#include <memory>
#include <mutex>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

#include "action_msgs/srv/cancel_goal.hpp"
#include "entities.hpp"
#include "goal_state.hpp"
#include "rclcpp/logger.hpp"
#include "rclcpp_action/server.hpp"

namespace rclcpp_action::detail {

/// A goal that a server has accepted: the server has it until its result has expired, its handle for as long as that lives.
struct ServerGoal {
  ServerGoal(std::weak_ptr<ServerState> of, std::string its_action, GoalInfo its_info, bool is_executing)
      : server(std::move(of)), action(std::move(its_action)), info(std::move(its_info)), state(is_executing) {}

  const std::weak_ptr<ServerState> server;
  const std::string action;  ///< "/ns/action"
  const GoalInfo info;
  GoalState state;
  // Guarded by the server's mutex.
  std::weak_ptr<ServerGoalHandleBase> handle;
  std::shared_ptr<void> result;           ///< the response to who asks for it; null until it has ended
  std::vector<rmw_request_id_t> waiting;  ///< who has asked for it before
};

/// Thread-safe. No lock is held while a callback of the user runs, a response is sent, or the timer is touched.
class ServerState : public std::enable_shared_from_this<ServerState> {
 public:
  explicit ServerState(ServerSetup && setup);
  /// Begins to serve. \throws as Server().
  void open();

  // For the goals' handles.

  /// Of a goal whose state says that it has ended: tells clients. \throws rclcpp::exceptions::RCLError when the status cannot
  /// be published.
  void finish(ServerGoal & goal, std::shared_ptr<void> result_response);
  void publish_status();
  void publish_feedback(tandem::OwnedMessage message) { feedback_->publish_owned(std::move(message)); }

  void configure_introspection(const rclcpp::Clock::SharedPtr & clock, const rclcpp::QoS & qos,
                               rcl_service_introspection_state_t state);
  const rclcpp::Logger & logger() const { return logger_; }

 private:
  using Request = EntityMaker::Request;
  using Header = EntityMaker::Header;
  using Goals = std::list<std::shared_ptr<ServerGoal>>;
  using CancelGoal = action_msgs::srv::CancelGoal;

  /// The callback of a service: `handle` is not called once the server is gone.
  std::function<void(Header, Request)> calling(void (ServerState::*handle)(rmw_request_id_t, const Request &));
  void on_goal_request(rmw_request_id_t header, const Request & request);
  void on_result_request(rmw_request_id_t header, const Request & request);
  void on_cancel_request(rmw_request_id_t header, const Request & request);
  void on_expiry_timer();

  GoalResponse decide(const GoalUUID & id, const Request & request);
  /// \return null when there is a goal of that id.
  std::shared_ptr<ServerGoalHandleBase> accept(const GoalInfo & info, bool is_executing, const Request & request);
  void forget(const GoalUUID & id);
  /// Those that a request names, and can be cancelled. `code` says why there are none.
  std::vector<std::shared_ptr<ServerGoal>> chosen(const CancelGoal::Request & request, std::int8_t & code);
  /// Whether it is cancelling now.
  bool cancel(ServerGoal & goal);
  /// Forgets goals whose results have expired. With the lock.
  void expire();
  std::shared_ptr<ServerGoal> find(const GoalUUID & id) const;
  /// One that cannot be sent costs a line in the log.
  bool respond(rclcpp::GenericService & service, rmw_request_id_t header, std::shared_ptr<void> response) const;

  ServerSetup setup_;  // the parts of the node and the group only until open()
  const rclcpp::Clock::SharedPtr clock_;
  const rclcpp::Logger logger_;
  std::string action_;
  // From open() on these do not change.
  rclcpp::GenericService::SharedPtr goal_service_;
  rclcpp::GenericService::SharedPtr cancel_service_;
  rclcpp::GenericService::SharedPtr result_service_;
  std::shared_ptr<AnyPublisher> feedback_;
  std::shared_ptr<AnyPublisher> status_;
  rclcpp::TimerBase::SharedPtr expiry_timer_;

  std::mutex status_mutex_;   // so that the last status that is published is the latest; before mutex_
  mutable std::mutex mutex_;  // guards what follows
  Goals goals_;               // in the order in which they were accepted
  std::unordered_map<GoalUUID, Goals::iterator> by_id_;
  std::deque<std::pair<std::int64_t, GoalUUID>> ended_;  // when, in ns of clock_
};

}  // namespace rclcpp_action::detail
