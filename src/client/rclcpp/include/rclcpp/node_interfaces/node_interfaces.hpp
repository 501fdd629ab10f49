// Some of a node's interfaces in one object: what a function needs of a node, whatever the node's type.
#ifndef RCLCPP__NODE_INTERFACES__NODE_INTERFACES_HPP_
#define RCLCPP__NODE_INTERFACES__NODE_INTERFACES_HPP_

#include <memory>
#include <tuple>
#include <type_traits>
#include <utility>

#include "rclcpp/node_interfaces/detail/node_interfaces_helpers.hpp"
#include "rclcpp/node_interfaces/node_base_interface.hpp"
#include "rclcpp/node_interfaces/node_clock_interface.hpp"
#include "rclcpp/node_interfaces/node_graph_interface.hpp"
#include "rclcpp/node_interfaces/node_logging_interface.hpp"
#include "rclcpp/node_interfaces/node_parameters_interface.hpp"
#include "rclcpp/node_interfaces/node_services_interface.hpp"
#include "rclcpp/node_interfaces/node_time_source_interface.hpp"
#include "rclcpp/node_interfaces/node_timers_interface.hpp"
#include "rclcpp/node_interfaces/node_topics_interface.hpp"
#include "rclcpp/node_interfaces/node_type_descriptions_interface.hpp"
#include "rclcpp/node_interfaces/node_waitables_interface.hpp"

#define ALL_RCLCPP_NODE_INTERFACES                                                                          \
  rclcpp::node_interfaces::NodeBaseInterface, rclcpp::node_interfaces::NodeClockInterface,                  \
      rclcpp::node_interfaces::NodeGraphInterface, rclcpp::node_interfaces::NodeLoggingInterface,           \
      rclcpp::node_interfaces::NodeParametersInterface, rclcpp::node_interfaces::NodeServicesInterface,     \
      rclcpp::node_interfaces::NodeTimeSourceInterface, rclcpp::node_interfaces::NodeTimersInterface,       \
      rclcpp::node_interfaces::NodeTopicsInterface, rclcpp::node_interfaces::NodeTypeDescriptionsInterface, \
      rclcpp::node_interfaces::NodeWaitablesInterface

namespace rclcpp {
namespace node_interfaces {

/// Has get_node_..._interface() for each of its interfaces, so that it is like a node itself. Converts from anything
/// that has these interfaces. Shares ownership of them. Not thread-safe.
template <class... InterfaceTs>
class NodeInterfaces : public detail::InterfaceAccess<InterfaceTs>::template Member<NodeInterfaces<InterfaceTs...>>... {
  static_assert(sizeof...(InterfaceTs) != 0, "NodeInterfaces needs at least one interface");

 public:
  /// All null.
  NodeInterfaces() = default;
  template <class NodeT>
  NodeInterfaces(NodeT & node)  // NOLINT: implicit, as in rclcpp
      : interfaces_(detail::get_interface<InterfaceTs>(node)...) {}
  explicit NodeInterfaces(std::shared_ptr<InterfaceTs>... interfaces) : interfaces_(std::move(interfaces)...) {}

  template <class InterfaceT>
  std::shared_ptr<InterfaceT> get() {
    return std::get<std::shared_ptr<InterfaceT>>(interfaces_);
  }
  template <class InterfaceT>
  std::shared_ptr<const InterfaceT> get() const {
    return std::get<std::shared_ptr<InterfaceT>>(interfaces_);
  }

 private:
  std::tuple<std::shared_ptr<InterfaceTs>...> interfaces_;
};

}  // namespace node_interfaces
}  // namespace rclcpp

#endif  // RCLCPP__NODE_INTERFACES__NODE_INTERFACES_HPP_
