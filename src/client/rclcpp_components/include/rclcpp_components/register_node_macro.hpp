// RCLCPP_COMPONENTS_REGISTER_NODE(pkg::MyNode): makes a node's class known by name in the library that it is in.
#ifndef RCLCPP_COMPONENTS__REGISTER_NODE_MACRO_HPP_
#define RCLCPP_COMPONENTS__REGISTER_NODE_MACRO_HPP_

#include <memory>

#include "rclcpp_components/node_factory.hpp"

#define RCLCPP_COMPONENTS_REGISTER_NODE(NodeClass) RCLCPP_COMPONENTS_DETAIL_REGISTER(NodeClass, __COUNTER__)
#define RCLCPP_COMPONENTS_DETAIL_REGISTER(NodeClass, Number) RCLCPP_COMPONENTS_DETAIL_DEFINE(NodeClass, Number)
#define RCLCPP_COMPONENTS_DETAIL_DEFINE(NodeClass, Number)                                  \
  namespace {                                                                               \
  const ::rclcpp_components::detail::Registration rclcpp_components_node_##Number(          \
      #NodeClass, std::make_unique<::rclcpp_components::NodeFactoryTemplate<NodeClass>>()); \
  }

#endif  // RCLCPP_COMPONENTS__REGISTER_NODE_MACRO_HPP_
