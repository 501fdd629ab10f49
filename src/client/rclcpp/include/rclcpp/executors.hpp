// The executors, and spinning a node without naming one.
#ifndef RCLCPP__EXECUTORS_HPP_
#define RCLCPP__EXECUTORS_HPP_

#include <chrono>
#include <memory>

#include "rclcpp/executors/multi_threaded_executor.hpp"
#include "rclcpp/executors/single_threaded_executor.hpp"
#include "rclcpp/executors/static_single_threaded_executor.hpp"
#include "rclcpp/experimental/executors/events_executor/events_executor.hpp"
#include "rclcpp/node.hpp"
#include "rclcpp/visibility_control.hpp"

namespace rclcpp {

RCLCPP_PUBLIC void spin(node_interfaces::NodeBaseInterface::SharedPtr node);
RCLCPP_PUBLIC void spin(Node::SharedPtr node);
RCLCPP_PUBLIC void spin_some(node_interfaces::NodeBaseInterface::SharedPtr node);
RCLCPP_PUBLIC void spin_some(Node::SharedPtr node);
RCLCPP_PUBLIC void spin_all(node_interfaces::NodeBaseInterface::SharedPtr node, std::chrono::nanoseconds max_duration);
RCLCPP_PUBLIC void spin_all(Node::SharedPtr node, std::chrono::nanoseconds max_duration);

namespace executors {

template <class FutureT, class TimeRepT = int64_t, class TimeT = std::milli>
FutureReturnCode spin_node_until_future_complete(
    Executor & executor, node_interfaces::NodeBaseInterface::SharedPtr node, const FutureT & future,
    std::chrono::duration<TimeRepT, TimeT> timeout = std::chrono::duration<TimeRepT, TimeT>(-1)) {
  executor.add_node(node);
  auto code = executor.spin_until_future_complete(future, timeout);
  executor.remove_node(node);
  return code;
}

template <class NodeT = Node, class FutureT, class TimeRepT = int64_t, class TimeT = std::milli>
FutureReturnCode spin_node_until_future_complete(
    Executor & executor, std::shared_ptr<NodeT> node, const FutureT & future,
    std::chrono::duration<TimeRepT, TimeT> timeout = std::chrono::duration<TimeRepT, TimeT>(-1)) {
  return spin_node_until_future_complete(executor, node->get_node_base_interface(), future, timeout);
}

}  // namespace executors

template <class FutureT, class TimeRepT = int64_t, class TimeT = std::milli>
FutureReturnCode spin_until_future_complete(
    node_interfaces::NodeBaseInterface::SharedPtr node, const FutureT & future,
    std::chrono::duration<TimeRepT, TimeT> timeout = std::chrono::duration<TimeRepT, TimeT>(-1)) {
  ExecutorOptions options;
  options.context = node->get_context();
  executors::SingleThreadedExecutor executor(options);
  return executors::spin_node_until_future_complete(executor, node, future, timeout);
}

template <class NodeT = Node, class FutureT, class TimeRepT = int64_t, class TimeT = std::milli>
FutureReturnCode spin_until_future_complete(
    std::shared_ptr<NodeT> node, const FutureT & future,
    std::chrono::duration<TimeRepT, TimeT> timeout = std::chrono::duration<TimeRepT, TimeT>(-1)) {
  return rclcpp::spin_until_future_complete(node->get_node_base_interface(), future, timeout);
}

}  // namespace rclcpp

#endif  // RCLCPP__EXECUTORS_HPP_
