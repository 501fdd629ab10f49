// What the tests' nodes say of themselves: "NODE: PARAMETER TYPE VALUE" for each, and "NODE: time simulated" or "NODE: time real".
#pragma once

#include <cstdio>

#include "rclcpp/rclcpp.hpp"

inline void show(rclcpp::Node & node) {
  const char * name = node.get_fully_qualified_name();
  for (const auto & parameter : node.get_parameters(node.list_parameters({}, 0).names)) {
    std::printf("%s: %s %s %s\n", name, parameter.get_name().c_str(), parameter.get_type_name().c_str(),
                parameter.value_to_string().c_str());
  }
  std::printf("%s: time %s\n", name, node.get_clock()->ros_time_is_active() ? "simulated" : "real");
  std::fflush(stdout);
}
