// The callbacks of a managed node.
#ifndef RCLCPP_LIFECYCLE__NODE_INTERFACES__LIFECYCLE_NODE_INTERFACE_HPP_
#define RCLCPP_LIFECYCLE__NODE_INTERFACES__LIFECYCLE_NODE_INTERFACE_HPP_

#include <cstdint>

#include "lifecycle_msgs/msg/transition.hpp"
#include "rclcpp/node_interfaces/detail/node_interfaces_helpers.hpp"
#include "rclcpp_lifecycle/state.hpp"
#include "rclcpp_lifecycle/visibility_control.h"

namespace rclcpp_lifecycle {
namespace node_interfaces {

/// One for each transition that can be asked for, to be overridden. Each is told the state before the transition and is
/// called while the node is in the state between ("configuring", ...). By default they return SUCCESS.
class RCLCPP_LIFECYCLE_PUBLIC LifecycleNodeInterface {
 public:
  /// SUCCESS leads to the state that was asked for, FAILURE back (from a shutdown to "finalized" all the same). ERROR,
  /// as everything that is thrown, leads to on_error().
  enum class CallbackReturn : std::uint8_t {
    SUCCESS = lifecycle_msgs::msg::Transition::TRANSITION_CALLBACK_SUCCESS,
    FAILURE = lifecycle_msgs::msg::Transition::TRANSITION_CALLBACK_FAILURE,
    ERROR = lifecycle_msgs::msg::Transition::TRANSITION_CALLBACK_ERROR
  };

  virtual ~LifecycleNodeInterface();

  virtual CallbackReturn on_configure(const State & previous_state);
  virtual CallbackReturn on_cleanup(const State & previous_state);
  virtual CallbackReturn on_shutdown(const State & previous_state);
  virtual CallbackReturn on_activate(const State & previous_state);
  virtual CallbackReturn on_deactivate(const State & previous_state);
  /// SUCCESS leads to "unconfigured", all else to "finalized".
  virtual CallbackReturn on_error(const State & previous_state);

 protected:
  LifecycleNodeInterface();
};

}  // namespace node_interfaces
}  // namespace rclcpp_lifecycle

RCLCPP_NODE_INTERFACE_HELPERS_SUPPORT(rclcpp_lifecycle::node_interfaces::LifecycleNodeInterface, lifecycle_node)

#endif  // RCLCPP_LIFECYCLE__NODE_INTERFACES__LIFECYCLE_NODE_INTERFACE_HPP_
