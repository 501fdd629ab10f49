// Asking for a node's parameters.
#include <algorithm>

#include "rclcpp/node_interfaces/node_parameters_interface.hpp"

namespace rclcpp::node_interfaces {
namespace {

std::uint64_t count_dots(const std::string & text, std::size_t from) {
  return static_cast<std::uint64_t>(std::count(text.begin() + static_cast<std::ptrdiff_t>(from), text.end(), '.'));
}

/// Whether list_parameters() of this prefix has this name.
bool is_listed(const std::string & name, const std::string & prefix, std::uint64_t depth) {
  if (name == prefix) return true;
  const std::string begin = prefix.empty() ? "" : prefix + ".";
  return name.compare(0, begin.size(), begin) == 0 && (depth == 0 || count_dots(name, begin.size()) < depth);
}

}  // namespace

bool NodeParametersInterface::has_parameter(const std::string & name) const {
  const std::lock_guard<std::recursive_mutex> lock(mutex_);
  return parameters_.count(name) != 0;
}

Parameter NodeParametersInterface::get_parameter(const std::string & name) const {
  const std::lock_guard<std::recursive_mutex> lock(mutex_);
  const auto found = parameters_.find(name);
  if (found == parameters_.end()) {
    if (allow_undeclared_) return Parameter(name);
    throw exceptions::ParameterNotDeclaredException("parameter '" + name + "' is not declared");
  }
  const auto & [value, descriptor] = found->second;
  if (value.get_type() == PARAMETER_NOT_SET && !descriptor.dynamic_typing) {
    throw exceptions::ParameterUninitializedException(name);
  }
  return Parameter(name, value);
}

std::vector<Parameter> NodeParametersInterface::get_parameters(const std::vector<std::string> & names) const {
  const std::lock_guard<std::recursive_mutex> lock(mutex_);
  std::vector<Parameter> result;
  for (const auto & name : names) result.push_back(get_parameter(name));
  return result;
}

bool NodeParametersInterface::get_parameter(const std::string & name, Parameter & parameter) const {
  const std::lock_guard<std::recursive_mutex> lock(mutex_);
  const auto found = parameters_.find(name);
  if (found == parameters_.end() || found->second.value.get_type() == PARAMETER_NOT_SET) return false;
  parameter = Parameter(name, found->second.value);
  return true;
}

bool NodeParametersInterface::get_parameters_by_prefix(const std::string & prefix,
                                                       std::map<std::string, Parameter> & parameters) const {
  const std::lock_guard<std::recursive_mutex> lock(mutex_);
  const std::string begin = prefix.empty() ? "" : prefix + ".";
  bool any = false;
  for (const auto & [name, info] : parameters_) {
    if (name.size() <= begin.size() || name.compare(0, begin.size(), begin) != 0) continue;
    parameters[name.substr(begin.size())] = Parameter(name, info.value);
    any = true;
  }
  return any;
}

std::vector<rcl_interfaces::msg::ParameterDescriptor> NodeParametersInterface::describe_parameters(
    const std::vector<std::string> & names) const {
  const std::lock_guard<std::recursive_mutex> lock(mutex_);
  std::vector<ParameterDescriptor> result;
  for (const auto & name : names) {
    const auto found = parameters_.find(name);
    if (found == parameters_.end() && !allow_undeclared_) {
      throw exceptions::ParameterNotDeclaredException("parameter '" + name + "' is not declared");
    }
    result.push_back(found == parameters_.end() ? ParameterDescriptor() : found->second.descriptor);
    result.back().name = name;
  }
  return result;
}

std::vector<std::uint8_t> NodeParametersInterface::get_parameter_types(const std::vector<std::string> & names) const {
  std::vector<std::uint8_t> result;
  for (const auto & descriptor : describe_parameters(names)) result.push_back(descriptor.type);
  return result;
}

rcl_interfaces::msg::ListParametersResult NodeParametersInterface::list_parameters(
    const std::vector<std::string> & prefixes, std::uint64_t depth) const {
  const std::vector<std::string> all{""};
  const std::lock_guard<std::recursive_mutex> lock(mutex_);
  rcl_interfaces::msg::ListParametersResult result;
  for (const auto & [name, info] : parameters_) {
    const auto & wanted = prefixes.empty() ? all : prefixes;
    const bool listed = std::any_of(wanted.begin(), wanted.end(), [&name = name, depth](const std::string & prefix) {
      return is_listed(name, prefix, depth);
    });
    if (!listed) continue;
    result.names.push_back(name);
    const std::string prefix = name.substr(0, std::min(name.rfind('.'), name.size()));
    if (prefix != name && std::find(result.prefixes.begin(), result.prefixes.end(), prefix) == result.prefixes.end()) {
      result.prefixes.push_back(prefix);
    }
  }
  return result;
}

}  // namespace rclcpp::node_interfaces
