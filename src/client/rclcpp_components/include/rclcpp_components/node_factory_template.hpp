// The factory of a node's class.
#ifndef RCLCPP_COMPONENTS__NODE_FACTORY_TEMPLATE_HPP_
#define RCLCPP_COMPONENTS__NODE_FACTORY_TEMPLATE_HPP_

#include <functional>
#include <memory>

#include "rclcpp_components/node_factory.hpp"

namespace rclcpp_components {

/// Of a class with a constructor that takes rclcpp::NodeOptions, and with get_node_base_interface(). It need be no
/// rclcpp::Node.
template <typename NodeT>
class NodeFactoryTemplate : public NodeFactory {
 public:
  NodeInstanceWrapper create_node_instance(const rclcpp::NodeOptions & options) override {
    return NodeInstanceWrapper(std::make_shared<NodeT>(options), [](const std::shared_ptr<void> & node) {
      return static_cast<NodeT *>(node.get())->get_node_base_interface();
    });
  }
};

}  // namespace rclcpp_components

#endif  // RCLCPP_COMPONENTS__NODE_FACTORY_TEMPLATE_HPP_
