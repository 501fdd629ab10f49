// The clock of a node.
#ifndef RCLCPP__NODE_INTERFACES__NODE_CLOCK_INTERFACE_HPP_
#define RCLCPP__NODE_INTERFACES__NODE_CLOCK_INTERFACE_HPP_

#include "rclcpp/clock.hpp"
#include "rclcpp/macros.hpp"
#include "rclcpp/node_interfaces/detail/node_interfaces_helpers.hpp"
#include "rclcpp/visibility_control.hpp"

namespace rclcpp {
namespace node_interfaces {

/// Thread-safe.
class RCLCPP_PUBLIC NodeClockInterface {
 public:
  RCLCPP_SMART_PTR_ALIASES_ONLY(NodeClockInterface)
  RCLCPP_DISABLE_COPY(NodeClockInterface)

  explicit NodeClockInterface(Clock::SharedPtr clock) : clock_(std::move(clock)) {}

  Clock::SharedPtr get_clock() { return clock_; }
  Clock::ConstSharedPtr get_clock() const { return clock_; }

 private:
  const Clock::SharedPtr clock_;
};
using NodeClock = NodeClockInterface;

}  // namespace node_interfaces
}  // namespace rclcpp

RCLCPP_NODE_INTERFACE_HELPERS_SUPPORT(rclcpp::node_interfaces::NodeClockInterface, clock)

#endif  // RCLCPP__NODE_INTERFACES__NODE_CLOCK_INTERFACE_HPP_
