// What clients of actions of every type have in common.
#ifndef RCLCPP_ACTION__CLIENT_BASE_HPP_
#define RCLCPP_ACTION__CLIENT_BASE_HPP_

#include <chrono>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>

#include "action_msgs/srv/cancel_goal.hpp"
#include "rcl/service_introspection.h"
#include "rcl_action/action_client.h"
#include "rclcpp/callback_group.hpp"
#include "rclcpp/clock.hpp"
#include "rclcpp/macros.hpp"
#include "rclcpp/node_interfaces/node_base_interface.hpp"
#include "rclcpp/qos.hpp"
#include "rclcpp_action/client_goal_handle.hpp"
#include "rclcpp_action/types.hpp"
#include "rclcpp_action/visibility_control.hpp"
#include "tandem/message_type.hpp"

namespace rclcpp_action {

namespace detail {

/// What a client is made of. `type` lives for ever.
struct ClientSetup {
  rclcpp::node_interfaces::NodeBaseInterface::SharedPtr base;
  std::string name;
  const tandem::ActionType * type;
  rcl_action_client_options_t options;
  rclcpp::CallbackGroup::SharedPtr group;  ///< null: the node's default group
};

/// What becomes of a goal that is sent.
struct GoalPlan {
  std::function<std::shared_ptr<ClientGoalHandleBase>(const GoalInfo &)> make_handle;
  std::function<void(const std::shared_ptr<ClientGoalHandleBase> &)> answered;  ///< null: it was rejected
  bool asks_for_result;                                                         ///< once it is accepted
};

}  // namespace detail

/// Thread-safe.
class RCLCPP_ACTION_PUBLIC ClientBase {
 public:
  RCLCPP_SMART_PTR_ALIASES_ONLY(ClientBase)
  RCLCPP_DISABLE_COPY(ClientBase)

  /// Goals run on; their handles have the status UNKNOWN, and futures of results that have not come throw
  /// UnawareGoalHandleError. A callback that runs in another thread runs to its end.
  virtual ~ClientBase();

  /// Whether a server is there with all that belongs to it.
  bool action_server_is_ready() const;
  /// Waits for that. A negative timeout waits without end. \return false when the time is over, or after shutdown.
  /// \throws rclcpp::exceptions::InvalidNodeError when the node is gone.
  template <class RepT = int64_t, class RatioT = std::milli>
  bool wait_for_action_server(std::chrono::duration<RepT, RatioT> timeout = std::chrono::duration<RepT, RatioT>(-1)) {
    return wait_for_action_server_nanoseconds(std::chrono::duration_cast<std::chrono::nanoseconds>(timeout));
  }

  /// Publishes an event for each call of the action's three services, as rclcpp::ClientBase::configure_introspection().
  void configure_introspection(rclcpp::Clock::SharedPtr clock, const rclcpp::QoS & qos_service_event_pub,
                               rcl_service_introspection_state_t introspection_state);

 protected:
  using CancelRequestMessage = action_msgs::srv::CancelGoal::Request;
  using CancelResponseMessage = action_msgs::srv::CancelGoal::Response;

  /// \throws as Client().
  explicit ClientBase(detail::ClientSetup && setup);

  const tandem::ActionType & type() const;
  /// Random.
  static GoalUUID generate_goal_id();
  bool wait_for_action_server_nanoseconds(std::chrono::nanoseconds timeout);

  // All throw rclcpp::exceptions::RCLError when a request cannot be sent.

  /// \param request of the service send_goal; it is copied.
  void send_goal(const void * request, detail::GoalPlan plan);
  /// If nobody has. A request that cannot be sent makes the handle invalid. Throws nothing.
  void ask_for_result(const std::shared_ptr<detail::ClientGoalHandleBase> & handle);
  void cancel(const CancelRequestMessage & request,
              std::function<void(std::shared_ptr<CancelResponseMessage>)> callback);

  /// \throws exceptions::UnknownGoalHandleError unless its result is still to come.
  void require_known(const detail::ClientGoalHandleBase & handle) const;
  /// Of one that nobody keeps, or that is unknown: null.
  std::shared_ptr<detail::ClientGoalHandleBase> find(const GoalUUID & goal_id) const;
  void stop(const std::shared_ptr<detail::ClientGoalHandleBase> & handle);

 private:
  const std::shared_ptr<detail::ClientState> state_;
};

}  // namespace rclcpp_action

#endif  // RCLCPP_ACTION__CLIENT_BASE_HPP_
