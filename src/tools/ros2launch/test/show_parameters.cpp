// A node that says which parameters it was started with, and ends.
#include <memory>

#include "show.hpp"

int main(int argc, char ** argv) {
  rclcpp::init(argc, argv);
  const auto options =
      rclcpp::NodeOptions().automatically_declare_parameters_from_overrides(true).start_parameter_services(false);
  show(*std::make_shared<rclcpp::Node>("shown", options));
  rclcpp::shutdown();
}
