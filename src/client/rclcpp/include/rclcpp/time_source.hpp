// Simulated time for clocks: /clock, while a node's parameter use_sim_time is true.
#ifndef RCLCPP__TIME_SOURCE_HPP_
#define RCLCPP__TIME_SOURCE_HPP_

#include <memory>

#include "rclcpp/clock.hpp"
#include "rclcpp/node.hpp"
#include "rclcpp/qos.hpp"
#include "rclcpp/visibility_control.hpp"
#include "rosgraph_msgs/msg/clock.hpp"

namespace rclcpp {

/// Drives the clocks that are attached to it by the node that is attached. Each node has one for its own clock.
///
/// While the node's parameter use_sim_time is true, it subscribes to /clock and the clocks show what is published there:
/// 0 until the first message. Otherwise they show the system's time, and there is no subscription and no thread. A value
/// that is no bool is refused, and so is true while a clock is attached that is not of RCL_ROS_TIME. Setting the parameter
/// acts before it returns. A time before 0 is dropped with a line in the log.
///
/// With a clock thread, which NodeOptions ask for by default, a thread takes the messages. Without one the executor of the
/// node does, so time stands still while it is busy.
///
/// The QoS can be changed by the node's parameters qos_overrides./clock.subscription.{history,depth,reliability,durability},
/// which are read when the subscription is made.
///
/// Thread-safe, except that moving is not.
class RCLCPP_PUBLIC TimeSource {
 public:
  explicit TimeSource(std::shared_ptr<Node> node, const QoS & qos = ClockQoS(), bool use_clock_thread = true);
  explicit TimeSource(const QoS & qos = ClockQoS(), bool use_clock_thread = true);
  ~TimeSource();
  TimeSource(TimeSource && other) noexcept = default;
  TimeSource & operator=(TimeSource && other) noexcept;

  /// In place of the one before; whether there is a clock thread is as its NodeOptions say.
  /// \throws std::invalid_argument when the node has a use_sim_time that is refused or QoS overrides that are none,
  /// exceptions::InvalidQosOverridesException for a negative depth, exceptions::RCLError when there can be no subscription.
  void attachNode(std::shared_ptr<Node> node);
  void attachNode(node_interfaces::NodeTopicsInterface::SharedPtr node_topics,
                  node_interfaces::NodeParametersInterface::SharedPtr node_parameters);
  void attachNode(node_interfaces::NodeBaseInterface::SharedPtr,
                  node_interfaces::NodeTopicsInterface::SharedPtr node_topics,
                  node_interfaces::NodeGraphInterface::SharedPtr, node_interfaces::NodeServicesInterface::SharedPtr,
                  node_interfaces::NodeLoggingInterface::SharedPtr, node_interfaces::NodeClockInterface::SharedPtr,
                  node_interfaces::NodeParametersInterface::SharedPtr node_parameters) {
    attachNode(std::move(node_topics), std::move(node_parameters));
  }
  /// From then on the clocks show the system's time. They stay attached.
  void detachNode();

  /// \throws std::invalid_argument for null, and for a clock that is not of RCL_ROS_TIME while time is simulated.
  void attachClock(Clock::SharedPtr clock);
  /// The clock keeps what it shows. One that is not attached is named in the log.
  void detachClock(Clock::SharedPtr clock);

  bool get_use_clock_thread();
  /// For the next subscription.
  void set_use_clock_thread(bool use_clock_thread);
  /// Whether there is a clock thread.
  bool clock_thread_is_joinable();

 private:
  class State;
  std::shared_ptr<State> state_;
};

}  // namespace rclcpp

#endif  // RCLCPP__TIME_SOURCE_HPP_
