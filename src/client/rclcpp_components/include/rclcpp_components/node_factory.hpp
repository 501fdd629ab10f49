// Making nodes of classes that are known by name only.
#ifndef RCLCPP_COMPONENTS__NODE_FACTORY_HPP_
#define RCLCPP_COMPONENTS__NODE_FACTORY_HPP_

#include "rclcpp/node_options.hpp"
#include "rclcpp_components/node_instance_wrapper.hpp"
#include "rclcpp_components/visibility_control.hpp"

namespace rclcpp_components {

/// The base class of what class_loader finds in a library with nodes.
class RCLCPP_COMPONENTS_PUBLIC NodeFactory {
 public:
  NodeFactory() = default;
  virtual ~NodeFactory() = default;

  /// \throws what the node's constructor throws.
  virtual NodeInstanceWrapper create_node_instance(const rclcpp::NodeOptions & options) = 0;
};

}  // namespace rclcpp_components

#endif  // RCLCPP_COMPONENTS__NODE_FACTORY_HPP_
