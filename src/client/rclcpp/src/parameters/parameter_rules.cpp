#include "parameters/parameter_rules.hpp"

#include <array>
#include <cerrno>
#include <cstring>
#include <fstream>
#include <utility>

#include "names/node_pattern.hpp"
#include "parameters/parameter_yaml.hpp"
#include "rclcpp/parameter_map.hpp"

namespace rclcpp::detail {
namespace {

constexpr std::size_t kMaxFileSize = 16 << 20;
constexpr const char * kParametersKey = "ros__parameters";

std::string read_file(const std::string & path) {
  errno = 0;
  std::ifstream file(path, std::ios::binary);
  std::string text;
  std::array<char, 4096> part;
  while (file.read(part.data(), part.size()) || file.gcount() > 0) {
    text.append(part.data(), static_cast<std::size_t>(file.gcount()));
    if (text.size() > kMaxFileSize) throw exceptions::InvalidParametersException(path + ": larger than 16 MiB");
  }
  if (!file.eof()) {
    throw exceptions::InvalidParametersException(path + ": the file cannot be read: " + std::strerror(errno));
  }
  return text;
}

const std::string & key_of(const YAML::Node & key) {
  if (!key.IsScalar() || key.Scalar().empty()) refuse(key.Mark(), "a key is missing, or is no word");
  return key.Scalar();
}

/// Reads what is below ros__parameters. The keys of nested mappings are joined with dots.
void read_parameters(const YAML::Node & map, const std::string & prefix, std::vector<Parameter> & parameters) {
  if (map.IsNull()) return;
  if (!map.IsMap()) refuse(map.Mark(), "parameters must be a mapping of names to values");
  for (const auto & entry : map) {
    const std::string name = prefix + key_of(entry.first);
    if (entry.second.IsMap()) {
      read_parameters(entry.second, name + ".", parameters);
    } else if (entry.second.IsNull()) {
      refuse(entry.first.Mark(), "parameter '" + name + "' has no value; an empty string is written ''");
    } else {
      parameters.emplace_back(name, parameter_value(entry.second));
    }
  }
}

/// Reads what is above ros__parameters. The keys of nested mappings are joined with slashes.
void read_nodes(const YAML::Node & map, const std::string & node, ParameterRules & rules) {
  if (!map.IsMap()) refuse(map.Mark(), std::string("there is no ") + kParametersKey + " above this value");
  for (const auto & entry : map) {
    const std::string & key = key_of(entry.first);
    if (key != kParametersKey) {
      const bool has_slash = node.empty() || node.back() == '/' || key[0] == '/';
      read_nodes(entry.second, has_slash ? node + key : node + "/" + key, rules);
      continue;
    }
    if (node.empty()) refuse(entry.first.Mark(), std::string("there is no name of a node above ") + kParametersKey);
    std::string full;
    try {
      full = checked_node_pattern(node);
    } catch (const exceptions::InvalidParametersException & error) {
      refuse(entry.first.Mark(), error.what());
    }
    std::vector<Parameter> parameters;
    read_parameters(entry.second, "", parameters);
    for (auto & parameter : parameters) rules.push_back({full, std::move(parameter)});
  }
}

}  // namespace

void read_parameter_file(const std::string & path, ParameterRules & rules) {
  const std::string text = read_file(path);
  try {
    const YAML::Node document = load_yaml(text);
    if (!document.IsNull()) read_nodes(document, "", rules);
  } catch (const YAML::Exception & error) {
    throw exceptions::InvalidParametersException(path + ":" + std::to_string(error.mark.line + 1) + ": " + error.msg);
  }
}

ParameterRule parse_parameter_assignment(const std::string & text) {
  const std::size_t at = text.find(":=");
  if (at == std::string::npos) throw exceptions::InvalidParametersException("it must have the form name:=value");
  std::string name = text.substr(0, at);
  std::string node = "/**";
  if (const std::size_t colon = name.find(':'); colon != std::string::npos) {
    const std::string prefix = name.substr(0, colon);
    if (prefix.empty()) throw exceptions::InvalidParametersException("the name of the node is missing");
    // A name without a slash stands for the node in any namespace, as in remap rules.
    node = checked_node_pattern(prefix.find('/') == std::string::npos ? "/**/" + prefix : prefix);
    name.erase(0, colon + 1);
  }
  if (name.empty()) throw exceptions::InvalidParametersException("the name of the parameter is missing");
  return {node, Parameter(name, parameter_value_from_yaml(text.substr(at + 2)))};
}

void apply_rules(const ParameterRules & rules, const std::string & node,
                 std::map<std::string, ParameterValue> & values) {
  for (const auto & rule : rules) {
    if (matches_node(rule.node, node)) values[rule.parameter.get_name()] = rule.parameter.get_parameter_value();
  }
}

}  // namespace rclcpp::detail
