// RCLCPP_COMPONENTS_REGISTER_NODE(pkg::MyNode): makes a node's class known by name in the library that it is in. Once per class,
// in one source.
#ifndef RCLCPP_COMPONENTS__REGISTER_NODE_MACRO_HPP_
#define RCLCPP_COMPONENTS__REGISTER_NODE_MACRO_HPP_

#include "class_loader/class_loader.hpp"
#include "rclcpp_components/node_factory_template.hpp"

#define RCLCPP_COMPONENTS_REGISTER_NODE(NodeClass) \
  CLASS_LOADER_REGISTER_CLASS(rclcpp_components::NodeFactoryTemplate<NodeClass>, rclcpp_components::NodeFactory)

#endif  // RCLCPP_COMPONENTS__REGISTER_NODE_MACRO_HPP_
