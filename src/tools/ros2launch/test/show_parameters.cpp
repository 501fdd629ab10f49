// A node that says which parameters it was started with, and ends: "NODE: PARAMETER TYPE VALUE" for each, and "NODE: time simulated"
// or "NODE: time real".
#include <cstdio>
#include <memory>

#include "rclcpp/rclcpp.hpp"

int main(int argc, char ** argv) {
  rclcpp::init(argc, argv);
  const auto options =
      rclcpp::NodeOptions().automatically_declare_parameters_from_overrides(true).start_parameter_services(false);
  const auto node = std::make_shared<rclcpp::Node>("shown", options);
  const char * name = node->get_fully_qualified_name();
  for (const auto & parameter : node->get_parameters(node->list_parameters({}, 0).names)) {
    std::printf("%s: %s %s %s\n", name, parameter.get_name().c_str(), parameter.get_type_name().c_str(),
                parameter.value_to_string().c_str());
  }
  std::printf("%s: time %s\n", name, node->get_clock()->ros_time_is_active() ? "simulated" : "real");
  rclcpp::shutdown();
}
