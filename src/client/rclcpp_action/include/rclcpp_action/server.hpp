// The end of an action that executes goals.
#ifndef RCLCPP_ACTION__SERVER_HPP_
#define RCLCPP_ACTION__SERVER_HPP_

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <utility>

#include "action_msgs/srv/cancel_goal.hpp"
#include "rcl/service_introspection.h"
#include "rcl_action/action_server.h"
#include "rclcpp/callback_group.hpp"
#include "rclcpp/clock.hpp"
#include "rclcpp/macros.hpp"
#include "rclcpp/node_interfaces/node_base_interface.hpp"
#include "rclcpp/node_interfaces/node_clock_interface.hpp"
#include "rclcpp/node_interfaces/node_logging_interface.hpp"
#include "rclcpp/qos.hpp"
#include "rclcpp_action/server_goal_handle.hpp"
#include "rclcpp_action/types.hpp"
#include "rclcpp_action/visibility_control.hpp"
#include "tandem/message_type.hpp"

namespace rclcpp_action {

/// What a server says to a goal.
enum class GoalResponse : int8_t {
  REJECT = 1,
  ACCEPT_AND_EXECUTE = 2,
  ACCEPT_AND_DEFER = 3,  ///< accepted, and executing from ServerGoalHandle::execute() on
};

/// What a server says to a request to cancel a goal.
enum class CancelResponse : int8_t {
  REJECT = 1,
  ACCEPT = 2,  ///< it will try: the goal is cancelling from then on, until it ends in one way or another
};

namespace detail {

/// What a server of a type does; messages without their type. A request is that of the service send_goal.
struct ServerCallbacks {
  std::function<GoalResponse(const GoalUUID &, const std::shared_ptr<void> & request)> handle_goal;
  std::function<CancelResponse(const std::shared_ptr<ServerGoalHandleBase> &)> handle_cancel;
  std::function<void(const std::shared_ptr<ServerGoalHandleBase> &)> handle_accepted;
  std::function<std::shared_ptr<ServerGoalHandleBase>(std::shared_ptr<ServerGoal>,
                                                      const std::shared_ptr<void> & request)>
      make_handle;
};

/// What a server is made of. `type` lives for ever.
struct ServerSetup {
  rclcpp::node_interfaces::NodeBaseInterface::SharedPtr base;
  rclcpp::node_interfaces::NodeClockInterface::SharedPtr clock;
  rclcpp::node_interfaces::NodeLoggingInterface::SharedPtr logging;
  std::string name;
  const tandem::ActionType * type;
  rcl_action_server_options_t options;
  rclcpp::CallbackGroup::SharedPtr group;  ///< null: the node's default group
  ServerCallbacks callbacks;
};

}  // namespace detail

/// What servers of every type have in common. Thread-safe.
class RCLCPP_ACTION_PUBLIC ServerBase {
 public:
  RCLCPP_SMART_PTR_ALIASES_ONLY(ServerBase)
  RCLCPP_DISABLE_COPY(ServerBase)

  /// Goals that have not ended stay with their handles; who waits for their results hears nothing more. A callback that runs
  /// in another thread runs to its end.
  virtual ~ServerBase();

  /// Publishes an event for each call of the action's three services, as rclcpp::ServiceBase::configure_introspection().
  void configure_introspection(rclcpp::Clock::SharedPtr clock, const rclcpp::QoS & qos_service_event_pub,
                               rcl_service_introspection_state_t introspection_state);

 protected:
  /// \throws as Server().
  explicit ServerBase(detail::ServerSetup && setup);

 private:
  const std::shared_ptr<detail::ServerState> state_;
};

/// create_server() makes it. The callbacks run in the server's callback group:
///  * handle_goal decides on a goal. A goal whose id the server knows already is rejected without it.
///  * handle_accepted gets the handle of each goal that was accepted, after the client was told. It must keep the handle, or
///    the goal ends as cancelled.
///  * handle_cancel decides on a request to cancel a goal.
/// They should return soon, and let another thread execute the goal.
template <class ActionT>
class Server : public ServerBase {
 public:
  RCLCPP_SMART_PTR_DEFINITIONS_NOT_COPYABLE(Server)

  using GoalCallback = std::function<GoalResponse(const GoalUUID &, std::shared_ptr<const typename ActionT::Goal>)>;
  using CancelCallback = std::function<CancelResponse(std::shared_ptr<ServerGoalHandle<ActionT>>)>;
  using AcceptedCallback = std::function<void(std::shared_ptr<ServerGoalHandle<ActionT>>)>;

  /// It serves from then on; a null group means the node's default group. \throws std::invalid_argument for a null callback or a
  /// negative timeout of results; rclcpp::exceptions::InvalidServiceNameError, RCLInvalidArgument for a QoS that is not
  /// supported, MissingGroupNodeException, RCLError.
  Server(rclcpp::node_interfaces::NodeBaseInterface::SharedPtr node_base,
         rclcpp::node_interfaces::NodeClockInterface::SharedPtr node_clock,
         rclcpp::node_interfaces::NodeLoggingInterface::SharedPtr node_logging, const std::string & name,
         const rcl_action_server_options_t & options, GoalCallback handle_goal, CancelCallback handle_cancel,
         AcceptedCallback handle_accepted, rclcpp::CallbackGroup::SharedPtr group = nullptr)
      : ServerBase({std::move(node_base), std::move(node_clock), std::move(node_logging), name,
                    &tandem::action_type<ActionT>(), options, std::move(group),
                    callbacks(std::move(handle_goal), std::move(handle_cancel), std::move(handle_accepted))}) {}

 private:
  using Handle = ServerGoalHandle<ActionT>;

  /// The goal in a request, which it keeps.
  static std::shared_ptr<const typename ActionT::Goal> goal_in(const std::shared_ptr<void> & request) {
    const auto * typed = static_cast<const typename ActionT::Impl::SendGoalService::Request *>(request.get());
    return {request, &typed->goal};
  }

  static detail::ServerCallbacks callbacks(GoalCallback && goal, CancelCallback && cancel,
                                           AcceptedCallback && accepted) {
    detail::ServerCallbacks callbacks;
    if (goal) {
      callbacks.handle_goal = [goal = std::move(goal)](const GoalUUID & id, const std::shared_ptr<void> & request) {
        return goal(id, goal_in(request));
      };
    }
    if (cancel) {
      callbacks.handle_cancel = [cancel = std::move(cancel)](const std::shared_ptr<ServerGoalHandleBase> & handle) {
        return cancel(std::static_pointer_cast<Handle>(handle));
      };
    }
    if (accepted) {
      callbacks.handle_accepted = [accepted =
                                       std::move(accepted)](const std::shared_ptr<ServerGoalHandleBase> & handle) {
        accepted(std::static_pointer_cast<Handle>(handle));
      };
    }
    callbacks.make_handle = [](std::shared_ptr<detail::ServerGoal> of_server, const std::shared_ptr<void> & request) {
      return std::shared_ptr<ServerGoalHandleBase>(new Handle(std::move(of_server), goal_in(request)));
    };
    return callbacks;
  }
};

}  // namespace rclcpp_action

#endif  // RCLCPP_ACTION__SERVER_HPP_
