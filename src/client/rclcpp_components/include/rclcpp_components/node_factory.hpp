// Making nodes of classes that are known by name only.
#ifndef RCLCPP_COMPONENTS__NODE_FACTORY_HPP_
#define RCLCPP_COMPONENTS__NODE_FACTORY_HPP_

#include <memory>
#include <string>

#include "rclcpp/rclcpp.hpp"

namespace rclcpp_components {

/// A node of any class; shares ownership of it.
class NodeInstanceWrapper {
 public:
  NodeInstanceWrapper() = default;
  NodeInstanceWrapper(std::shared_ptr<void> instance, rclcpp::node_interfaces::NodeBaseInterface::SharedPtr base)
      : instance_(std::move(instance)), base_(std::move(base)) {}

  std::shared_ptr<void> get_node_instance() const { return instance_; }
  rclcpp::node_interfaces::NodeBaseInterface::SharedPtr get_node_base_interface() const { return base_; }

 private:
  std::shared_ptr<void> instance_;
  rclcpp::node_interfaces::NodeBaseInterface::SharedPtr base_;
};

class NodeFactory {
 public:
  virtual ~NodeFactory() = default;
  virtual NodeInstanceWrapper create_node_instance(const rclcpp::NodeOptions & options) = 0;
};

/// Of a class with a constructor that takes rclcpp::NodeOptions, and with get_node_base_interface().
template <class NodeT>
class NodeFactoryTemplate : public NodeFactory {
 public:
  NodeInstanceWrapper create_node_instance(const rclcpp::NodeOptions & options) override {
    auto node = std::make_shared<NodeT>(options);
    return {node, node->get_node_base_interface()};
  }
};

/// Loads a library, which stays loaded, and gives the factory of one of its classes, of static lifetime. Thread-safe.
/// \throws std::runtime_error that names the library, the class and the reason.
RCLCPP_PUBLIC NodeFactory & load_node_factory(const std::string & library, const std::string & class_name);

namespace detail {

/// Makes a class known for as long as this object, which is static in its library, lives.
class RCLCPP_PUBLIC Registration {
 public:
  Registration(const char * class_name, std::unique_ptr<NodeFactory> factory);
  ~Registration();
  Registration(const Registration &) = delete;
  Registration & operator=(const Registration &) = delete;

 private:
  const std::string class_name_;
  const std::unique_ptr<NodeFactory> factory_;
};

}  // namespace detail
}  // namespace rclcpp_components

#endif  // RCLCPP_COMPONENTS__NODE_FACTORY_HPP_
