// Components for the tests of `ros2 component`.
#include <stdexcept>

#include "rclcpp/rclcpp.hpp"
#include "rclcpp_components/register_node_macro.hpp"

namespace test {

class Camera : public rclcpp::Node {
 public:
  explicit Camera(const rclcpp::NodeOptions & options) : Node("camera", options) {
    declare_parameter("rate", 1.0);
    declare_parameter("frame", "map");
    declare_parameter("topic", get_node_topics_interface()->resolve_topic_name("image"));
    declare_parameter("intra_process", options.use_intra_process_comms());
  }
};

class Broken : public rclcpp::Node {
 public:
  explicit Broken(const rclcpp::NodeOptions & options) : Node("broken", options) {
    throw std::runtime_error("no lens");
  }
};

}  // namespace test

RCLCPP_COMPONENTS_REGISTER_NODE(test::Camera)
RCLCPP_COMPONENTS_REGISTER_NODE(test::Broken)
