// Two nodes in a library.
#include "rclcpp_components/register_node_macro.hpp"

namespace test {

class First : public rclcpp::Node {
 public:
  explicit First(const rclcpp::NodeOptions & options) : Node("first", options) {}
};

class Second : public rclcpp::Node {
 public:
  explicit Second(rclcpp::NodeOptions options) : Node("second", options) {}
};

}  // namespace test

RCLCPP_COMPONENTS_REGISTER_NODE(test::First)
RCLCPP_COMPONENTS_REGISTER_NODE(test::Second)
