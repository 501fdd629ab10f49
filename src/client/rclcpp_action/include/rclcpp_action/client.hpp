// The end of an action that sends goals.
#ifndef RCLCPP_ACTION__CLIENT_HPP_
#define RCLCPP_ACTION__CLIENT_HPP_

#include <functional>
#include <future>
#include <memory>
#include <string>
#include <utility>

#include "rclcpp/macros.hpp"
#include "rclcpp/node_interfaces/node_graph_interface.hpp"
#include "rclcpp/node_interfaces/node_logging_interface.hpp"
#include "rclcpp/time.hpp"
#include "rclcpp_action/client_base.hpp"
#include "rclcpp_action/client_goal_handle.hpp"
#include "rclcpp_action/exceptions.hpp"

namespace rclcpp_action {
namespace detail {

/// What Client and GenericClient share. Callbacks run in the client's callback group; futures are ready once an executor has
/// served that. Sending throws rclcpp::exceptions::RCLError when a request cannot be sent. Thread-safe.
template <class HandleT>
class TypedClient : public ClientBase {
 public:
  using GoalHandle = HandleT;
  using WrappedResult = typename GoalHandle::WrappedResult;
  /// Null: the goal was rejected.
  using GoalResponseCallback = std::function<void(typename GoalHandle::SharedPtr)>;
  using FeedbackCallback = typename GoalHandle::FeedbackCallback;
  using ResultCallback = typename GoalHandle::ResultCallback;
  using CancelRequest = action_msgs::srv::CancelGoal::Request;
  using CancelResponse = action_msgs::srv::CancelGoal::Response;
  using CancelCallback = std::function<void(typename CancelResponse::SharedPtr)>;

  /// Each may be left out. With a callback for the result, it is asked for as soon as the goal is accepted, and the client
  /// keeps the goal's handle until the result comes.
  struct SendGoalOptions {
    GoalResponseCallback goal_response_callback;
    /// Called for as long as somebody keeps the goal's handle, and after goal_response_callback: feedback that is there
    /// before the server's answer waits for it, the latest 64.
    FeedbackCallback feedback_callback;
    ResultCallback result_callback;
  };

  /// Asks for the result, once. The callback takes the place of that of the options.
  /// \throws exceptions::UnknownGoalHandleError for a goal of another client and one whose result has come;
  /// UnawareGoalHandleError when the request could not be sent, now or before.
  std::shared_future<WrappedResult> async_get_result(typename GoalHandle::SharedPtr goal_handle,
                                                     ResultCallback result_callback = nullptr) {
    require_known(*goal_handle);
    goal_handle->result();  // unless there will be none
    if (result_callback) goal_handle->exchange_result_callback(std::move(result_callback));
    ask_for_result(goal_handle);
    return goal_handle->result();
  }

  // The response says which goals the server tries to cancel.

  /// \throws exceptions::UnknownGoalHandleError as async_get_result().
  std::shared_future<typename CancelResponse::SharedPtr> async_cancel_goal(typename GoalHandle::SharedPtr goal_handle,
                                                                           CancelCallback cancel_callback = nullptr) {
    require_known(*goal_handle);
    CancelRequest request;
    request.goal_info.goal_id.uuid = goal_handle->get_goal_id();
    return send_cancel(request, std::move(cancel_callback));
  }
  /// Of all clients.
  std::shared_future<typename CancelResponse::SharedPtr> async_cancel_all_goals(
      CancelCallback cancel_callback = nullptr) {
    return send_cancel(CancelRequest(), std::move(cancel_callback));
  }
  /// Those of all clients that the server accepted at `stamp` or before.
  std::shared_future<typename CancelResponse::SharedPtr> async_cancel_goals_before(
      const rclcpp::Time & stamp, CancelCallback cancel_callback = nullptr) {
    CancelRequest request;
    request.goal_info.stamp = stamp;
    return send_cancel(request, std::move(cancel_callback));
  }

  /// When it returns, no callback for feedback or the result of the goal runs, unless this thread is in one, and none is called
  /// any more. The goal runs on.
  void stop_callbacks(typename GoalHandle::SharedPtr goal_handle) { stop(goal_handle); }
  void stop_callbacks(const GoalUUID & goal_id) {
    if (const auto handle = find(goal_id)) stop(handle);
  }

 protected:
  /// \throws as Client().
  explicit TypedClient(ClientSetup && setup) : ClientBase(std::move(setup)) {}

  /// \param request of the service send_goal; it is copied. \return null in the future when the goal is rejected.
  std::shared_future<typename GoalHandle::SharedPtr> send(const void * request, const SendGoalOptions & options) {
    const auto promise = std::make_shared<std::promise<typename GoalHandle::SharedPtr>>();
    std::shared_future<typename GoalHandle::SharedPtr> future = promise->get_future();
    GoalPlan plan;
    plan.make_handle = [feedback = options.feedback_callback, result = options.result_callback](const GoalInfo & info) {
      return std::shared_ptr<ClientGoalHandleBase>(new GoalHandle(info, feedback, result));
    };
    plan.answered = [promise,
                     callback = options.goal_response_callback](const std::shared_ptr<ClientGoalHandleBase> & erased) {
      const auto handle = std::static_pointer_cast<GoalHandle>(erased);
      promise->set_value(handle);
      if (callback) callback(handle);
    };
    plan.asks_for_result = static_cast<bool>(options.result_callback);
    send_goal(request, std::move(plan));
    return future;
  }

 private:
  std::shared_future<typename CancelResponse::SharedPtr> send_cancel(const CancelRequest & request,
                                                                     CancelCallback callback) {
    const auto promise = std::make_shared<std::promise<typename CancelResponse::SharedPtr>>();
    std::shared_future<typename CancelResponse::SharedPtr> future = promise->get_future();
    cancel(request, [promise, callback = std::move(callback)](std::shared_ptr<CancelResponse> response) {
      promise->set_value(response);
      if (callback) callback(std::move(response));
    });
    return future;
  }
};

}  // namespace detail

/// create_client() makes it.
template <class ActionT>
class Client : public detail::TypedClient<ClientGoalHandle<ActionT>> {
  using Base = detail::TypedClient<ClientGoalHandle<ActionT>>;

 public:
  RCLCPP_SMART_PTR_DEFINITIONS_NOT_COPYABLE(Client)

  using Goal = typename ActionT::Goal;
  using Feedback = typename ActionT::Feedback;
  using GoalHandle = ClientGoalHandle<ActionT>;
  using typename Base::SendGoalOptions;

  /// It works from then on; a null group means the node's default group. The graph and the logging are not needed.
  /// \throws rclcpp::exceptions::InvalidServiceNameError, RCLInvalidArgument for a QoS that is not supported,
  /// MissingGroupNodeException, RCLError.
  Client(rclcpp::node_interfaces::NodeBaseInterface::SharedPtr node_base,
         rclcpp::node_interfaces::NodeGraphInterface::SharedPtr /*node_graph*/,
         rclcpp::node_interfaces::NodeLoggingInterface::SharedPtr /*node_logging*/, const std::string & action_name,
         const rcl_action_client_options_t & client_options = rcl_action_client_get_default_options(),
         rclcpp::CallbackGroup::SharedPtr group = nullptr)
      : Base({std::move(node_base), action_name, &tandem::action_type<ActionT>(), client_options, std::move(group)}) {}

  /// The handle in the future is null when the goal is rejected. Without a server the goal waits for one or is lost, as the
  /// middleware has it: wait_for_action_server() before. Nobody hears of a server that was killed: no result comes, and
  /// action_server_is_ready() is false.
  std::shared_future<typename GoalHandle::SharedPtr> async_send_goal(
      const Goal & goal, const SendGoalOptions & options = SendGoalOptions()) {
    typename ActionT::Impl::SendGoalService::Request request;
    request.goal_id.uuid = this->generate_goal_id();
    request.goal = goal;
    return this->send(&request, options);
  }
};

}  // namespace rclcpp_action

#endif  // RCLCPP_ACTION__CLIENT_HPP_
