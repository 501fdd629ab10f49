// Nodes in a library, one of them of a class that is no node, and what containers have to cope with.
#include <stdexcept>

#include "rclcpp/rclcpp.hpp"
#include "rclcpp_components/register_node_macro.hpp"

namespace test {

class First : public rclcpp::Node {
 public:
  explicit First(const rclcpp::NodeOptions & options) : Node("first", options) {}
};

/// Its parameters and a remapped topic tell what it was loaded with.
class Second : public rclcpp::Node {
 public:
  explicit Second(rclcpp::NodeOptions options) : Node("second", options) {
    const auto topic = get_node_topics_interface()->resolve_topic_name("alice");
    declare_parameter("topic", topic);
    declare_parameter("rate", 1);
    declare_parameter("intra_process", get_node_options().use_intra_process_comms());
    declare_parameter("global_arguments", get_node_options().use_global_arguments());
  }
};

class NoNode {
 public:
  explicit NoNode(const rclcpp::NodeOptions & options) : node_("no_node", options) {}
  rclcpp::node_interfaces::NodeBaseInterface::SharedPtr get_node_base_interface() {
    return node_.get_node_base_interface();
  }

 private:
  rclcpp::Node node_;
};

class Throws {
 public:
  explicit Throws(const rclcpp::NodeOptions &) { throw std::runtime_error("no camera"); }
  rclcpp::node_interfaces::NodeBaseInterface::SharedPtr get_node_base_interface() { return nullptr; }
};

}  // namespace test

RCLCPP_COMPONENTS_REGISTER_NODE(test::First)
RCLCPP_COMPONENTS_REGISTER_NODE(test::Second)
RCLCPP_COMPONENTS_REGISTER_NODE(test::NoNode)
RCLCPP_COMPONENTS_REGISTER_NODE(test::Throws)
