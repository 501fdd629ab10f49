// Whether a value is what a parameter's descriptor allows.
#pragma once

#include <optional>
#include <string>

#include "rcl_interfaces/msg/parameter_descriptor.hpp"
#include "rclcpp/parameter.hpp"

namespace rclcpp::detail {

// Each returns what is wrong, or nothing.
std::optional<std::string> check_type(const rcl_interfaces::msg::ParameterDescriptor & descriptor,
                                      const Parameter & parameter);
std::optional<std::string> check_range(const rcl_interfaces::msg::ParameterDescriptor & descriptor,
                                       const Parameter & parameter);

}  // namespace rclcpp::detail
