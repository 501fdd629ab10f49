// A node for the tests of `ros2 param`: parameters of every type, with what is hard to write as YAML. Says "ready".
// Those without a default here come from the command line.
#include <cstdio>
#include <memory>
#include <string>
#include <vector>

#include "rclcpp/rclcpp.hpp"

namespace {

rcl_interfaces::msg::ParameterDescriptor described(const char * text) {
  rcl_interfaces::msg::ParameterDescriptor descriptor;
  descriptor.description = text;
  return descriptor;
}

void declare_values(rclcpp::Node & node) {
  node.declare_parameter("flag", true);
  node.declare_parameter("camera.name", "front");
  node.declare_parameter("camera.lens.width", 640);
  node.declare_parameter("camera", std::vector<std::string>{"y", "a b", "1"});
  node.declare_parameter("letter", "y");
  node.declare_parameter("lines", "one\n\n  two: 'x' \"z\" #\\\n");
  node.declare_parameter("empty", "");
  node.declare_parameter("huge", 1e300);
  node.declare_parameter("bytes", std::vector<std::uint8_t>{0, 65});
  node.declare_parameter("flags", std::vector<bool>{true, false});
  node.declare_parameter("counts", std::vector<std::int64_t>{1, -2});
  node.declare_parameter("ratios", std::vector<double>{0.5, 2});
  node.declare_parameter("none", std::vector<double>{});
}

void declare_constraints(rclcpp::Node & node) {
  auto rate = described("Hz");
  rate.floating_point_range.resize(1);
  rate.floating_point_range[0].from_value = 0.5;
  rate.floating_point_range[0].to_value = 100;
  rate.floating_point_range[0].step = 0.5;
  rate.additional_constraints = "no more than the camera has";
  node.declare_parameter("rate", 10.0, rate);
  auto serial = described("");
  serial.read_only = true;
  node.declare_parameter("serial", 7, serial);
  auto level = described("");
  level.integer_range.resize(1);
  level.integer_range[0].to_value = 5;
  node.declare_parameter("level", 3, level);
  auto free = described("may be deleted");
  free.dynamic_typing = true;
  node.declare_parameter("free", rclcpp::ParameterValue(1), free);
  node.declare_parameter("unset", rclcpp::PARAMETER_INTEGER);
}

}  // namespace

int main(int argc, char ** argv) {
  rclcpp::init(argc, argv);
  const auto node = std::make_shared<rclcpp::Node>("robot");
  declare_values(*node);
  declare_constraints(*node);
  std::printf("ready\n");
  std::fflush(stdout);
  rclcpp::spin(node);
  rclcpp::shutdown();
}
