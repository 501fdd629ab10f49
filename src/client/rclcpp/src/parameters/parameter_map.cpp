#include "rclcpp/parameter_map.hpp"

#include "names/node_pattern.hpp"
#include "parameters/parameter_rules.hpp"
#include "parameters/parameter_yaml.hpp"
#include "rclcpp/exceptions.hpp"

namespace rclcpp {

ParameterMap parameter_map_from_yaml_file(const std::string & yaml_filename, const char * node_fqn) {
  detail::ParameterRules rules;
  try {
    detail::read_parameter_file(yaml_filename, rules);
  } catch (const exceptions::InvalidParametersException & error) {
    throw exceptions::RCLError(RCL_RET_ERROR, error.what());
  }
  ParameterMap map;
  for (auto & rule : rules) {
    if (!node_fqn || detail::matches_node(rule.node, node_fqn)) {
      map[node_fqn ? node_fqn : rule.node].push_back(std::move(rule.parameter));
    }
  }
  return map;
}

std::vector<Parameter> parameters_from_map(const ParameterMap & parameter_map, const char * node_fqn) {
  std::vector<Parameter> all;
  for (const auto & [node, parameters] : parameter_map) {
    if (!node_fqn || detail::matches_node(node, node_fqn)) all.insert(all.end(), parameters.begin(), parameters.end());
  }
  return all;
}

ParameterValue parameter_value_from_yaml(const std::string & text) {
  try {
    return detail::parameter_value(detail::load_yaml(text));
  } catch (const YAML::Exception & error) {
    throw exceptions::InvalidParametersException(error.msg);
  }
}

}  // namespace rclcpp
