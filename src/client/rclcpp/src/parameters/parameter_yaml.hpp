// YAML as parameters use it, with the types that ROS gives to plain scalars.
#pragma once

#include <yaml-cpp/yaml.h>

#include <string>

#include "rclcpp/parameter_value.hpp"

namespace rclcpp::detail {

// Each throws YAML::Exception with the place in the text and the reason.

/// Says that something is wrong at this place in the text.
[[noreturn]] void refuse(const YAML::Mark & mark, const std::string & reason);

/// Parses a text of one document without aliases; null when the text is empty. A small text with aliases can expand
/// without end, and yaml-cpp reads a text of several documents without end if one of them is damaged.
YAML::Node load_yaml(const std::string & text);

/// The value of a scalar, or of a sequence of scalars of one type.
ParameterValue parameter_value(const YAML::Node & node);

}  // namespace rclcpp::detail
