// What files and the command line say about parameters.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "rclcpp/parameter.hpp"

namespace rclcpp::detail {

/// "Nodes of this name have this parameter with this value."
struct ParameterRule {
  std::string node;  ///< fully qualified, may have the tokens "*" (any one token) and "**" (any number of them)
  Parameter parameter;
};

/// Rules in the order in which they were given: the last that fits wins.
using ParameterRules = std::vector<ParameterRule>;

/// Appends what a parameters file says. \throws exceptions::InvalidParametersException naming file, line and reason.
void read_parameter_file(const std::string & path, ParameterRules & rules);

/// From what stands behind -p: "name:=value", "node:name:=value", the value in YAML.
/// \throws exceptions::InvalidParametersException.
ParameterRule parse_parameter_assignment(const std::string & text);

/// Whether a fully qualified name fits a pattern.
bool fits_node(const std::string & pattern, const std::string & node);

/// Adds the values for a node to `values`, in the place of those that are there.
void apply_rules(const ParameterRules & rules, const std::string & node,
                 std::map<std::string, ParameterValue> & values);

}  // namespace rclcpp::detail
