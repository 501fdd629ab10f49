// What parameter files and the command line say: which nodes have which parameter with which value.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "rclcpp/parameter.hpp"

namespace rclcpp::detail {

/// Every node that matches the pattern has this parameter.
struct ParameterRule {
  std::string node;  ///< a pattern: node_pattern.hpp
  Parameter parameter;
};

/// In the order in which they were given. The last one that matches a node wins.
using ParameterRules = std::vector<ParameterRule>;

/// Appends the rules of a parameter file. \throws exceptions::InvalidParametersException naming file, line and reason.
void read_parameter_file(const std::string & path, ParameterRules & rules);

/// Parses the argument of -p, "name:=value" or "node:name:=value". The value is YAML.
/// \throws exceptions::InvalidParametersException.
ParameterRule parse_parameter_assignment(const std::string & text);

/// Puts the parameters of a node into `values`; they replace those of the same name.
void apply_rules(const ParameterRules & rules, const std::string & node,
                 std::map<std::string, ParameterValue> & values);

}  // namespace rclcpp::detail
