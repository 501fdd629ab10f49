// Parameters of several nodes, as a file has them.
#ifndef RCLCPP__PARAMETER_MAP_HPP_
#define RCLCPP__PARAMETER_MAP_HPP_

#include <string>
#include <unordered_map>
#include <vector>

#include "rclcpp/parameter.hpp"
#include "rclcpp/visibility_control.hpp"

namespace rclcpp {

/// From the fully qualified name of a node, which may have the wildcards "*" (one token) and "**" (any), to its
/// parameters, in the order of the file.
using ParameterMap = std::unordered_map<std::string, std::vector<Parameter>>;

/// The parameters of a file in ROS's form. With a node's fully qualified name: those that apply to it, under that name.
/// \throws exceptions::RCLError naming file, line and reason.
RCLCPP_PUBLIC ParameterMap parameter_map_from_yaml_file(const std::string & yaml_filename,
                                                        const char * node_fqn = nullptr);

/// All of them; with a node's fully qualified name: those that apply to it.
RCLCPP_PUBLIC std::vector<Parameter> parameters_from_map(const ParameterMap & parameter_map,
                                                         const char * node_fqn = nullptr);

/// The value that a text such as "1.0", "yes" or "[a, b]" has in such a file, and behind `-p name:=`. An addition to ROS 2's.
/// \throws exceptions::InvalidParametersException if it is no scalar or array of scalars of one type.
RCLCPP_PUBLIC ParameterValue parameter_value_from_yaml(const std::string & text);

}  // namespace rclcpp

#endif  // RCLCPP__PARAMETER_MAP_HPP_
