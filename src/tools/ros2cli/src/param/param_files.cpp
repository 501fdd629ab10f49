// `ros2 param dump` and `load`: all parameters of a node as a file that `--params-file` takes too.
#include <fmt/format.h>

#include <filesystem>
#include <fstream>
#include <map>

#include "command/verbs.hpp"
#include "installed/ament_index.hpp"
#include "param/param_options.hpp"
#include "rclcpp/exceptions.hpp"
#include "rclcpp/parameter_map.hpp"
#include "tandem/yaml.hpp"
#include "terminal/errors.hpp"
#include "terminal/json.hpp"
#include "terminal/output.hpp"

namespace ros2cli {
namespace {

constexpr std::size_t kStep = 2;

void declare_dump(Commands & commands, CLI::App & app, ParamOptions & options) {
  declare_one_node(commands, app, options);
  app.add_option("--output-dir", options.output_folder, "Write <node>.yaml into this folder instead of printing it");
  app.add_flag("--print", options.print, "Accepted for compatibility: it is printed in any case");
}

/// Whether a parameter file with this text has this value.
bool reads_back(const std::string & text, const ParameterNode::Value & value) {
  try {
    return rclcpp::parameter_value_from_yaml(text) == rclcpp::ParameterValue(value);
  } catch (const rclcpp::exceptions::InvalidParametersException &) {
    return false;
  }
}

/// As PyYAML writes it, without a newline at the end. Strings that would not stay strings are in double quotes: PyYAML
/// takes "y" for a string, but parameter files for a bool.
std::string yaml_of(const ParameterNode::Value & value) {
  std::string text = tandem::to_yaml(held_value(value));
  if (value.type == rclcpp::PARAMETER_STRING && !reads_back(text, value)) {
    text = Json(value.string_value.c_str()).dump();
  } else if (value.type == rclcpp::PARAMETER_STRING_ARRAY && !reads_back(text, value)) {
    text.clear();
    for (const auto & element : value.string_array_value) {
      text += "- " + Json(element.c_str()).dump() + '\n';
    }
  }
  text.erase(text.find_last_not_of('\n') + 1);
  return text;
}

/// Why a parameter file cannot hold it; empty if it can.
std::string hindrance(const ParameterNode::Value & value) {
  if (value.type == rclcpp::PARAMETER_NOT_SET) {
    return "it has no value";
  }
  if (value.type == rclcpp::PARAMETER_BYTE_ARRAY) {
    return "YAML has no arrays of bytes";
  }
  const bool is_array = value.type > rclcpp::PARAMETER_BYTE_ARRAY;
  return is_array && tandem::element_count(held_value(value)) == 0 ? "an empty array has no type in YAML" : "";
}

/// The parameters, the parts of their names nested.
struct Tree {
  std::map<std::string, Tree> children;
  std::string value;  ///< empty if there is no parameter of this name
  bool is_array = false;
};

/// In quotes if it is not made of what names usually are made of.
std::string key_text(const std::string & name) {
  constexpr const char * kUsual = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_./";
  return !name.empty() && name.find_first_not_of(kUsual) == std::string::npos ? name : Json(name).dump();
}

void indent(std::string & text, const std::string & lines, std::size_t depth) {
  for (std::size_t begin = 0; begin < lines.size();) {
    const std::size_t end = std::min(lines.find('\n', begin), lines.size());
    text.append(end == begin ? 0 : depth, ' ').append(lines, begin, end - begin) += '\n';
    begin = end + 1;
  }
}

/// Below a parameter whose name begins the names of others, those are not nested: `a: 1` and `a.b: 2`.
void write(const Tree & tree, std::size_t depth, const std::string & prefix, std::string & text) {
  for (const auto & [name, child] : tree.children) {
    const std::string key = key_text(prefix + name);
    if (child.value.empty()) {
      text.append(depth, ' ') += key + ":\n";
      write(child, depth + kStep, "", text);
      continue;
    }
    std::string value;
    indent(value, child.value, child.is_array ? depth : depth + kStep);
    text.append(depth, ' ') += key + ':' + (child.is_array ? '\n' + value : ' ' + value.substr(depth + kStep));
    write(child, depth, prefix + name + '.', text);
  }
}

/// A value for each name, without type where there is none.
std::vector<ParameterNode::Value> values_of(const ParameterNode & node, const std::vector<std::string> & names) {
  std::vector<ParameterNode::Value> values = node.get(names);
  if (values.size() == names.size()) {
    return values;
  }
  values.clear();  // one that has none keeps the others back
  for (const std::string & name : names) {
    const auto value = node.get({name});
    values.push_back(value.empty() ? ParameterNode::Value() : value.front());
  }
  return values;
}

Tree tree_of(const ParameterNode & node) {
  const std::vector<std::string> names = node.list();
  const std::vector<ParameterNode::Value> values = values_of(node, names);
  Tree tree;
  for (std::size_t i = 0; i < names.size(); ++i) {
    if (const std::string reason = hindrance(values[i]); !reason.empty()) {
      fmt::print(stderr, "parameter {} is left out: {}\n", names[i], reason);
      continue;
    }
    Tree * place = &tree;
    for (std::size_t begin = 0; begin <= names[i].size();) {
      const std::size_t end = std::min(names[i].find('.', begin), names[i].size());
      place = &place->children[names[i].substr(begin, end - begin)];
      begin = end + 1;
    }
    place->value = yaml_of(values[i]);
    place->is_array = values[i].type >= rclcpp::PARAMETER_BYTE_ARRAY;
  }
  return tree;
}

void save(const std::string & text, const ParameterNode & node, const std::string & folder) {
  std::string name = node.name().substr(1);
  for (std::size_t slash; (slash = name.find('/')) != std::string::npos;) {
    name.replace(slash, 1, "__");
  }
  const std::string path = (std::filesystem::path(folder) / (name + ".yaml")).string();
  print(fmt::format("Saving to:  {}\n", path));
  std::ofstream file(path);
  if (!(file << text).flush()) {
    throw CommandError("cannot write " + path);
  }
}

int dump(ParamOptions & options) {
  Session session(options.session);
  const ParameterNode node = find_node(session, options);
  const Tree tree = tree_of(node);
  std::string text = node.name() + ":\n  ros__parameters:" + (tree.children.empty() ? " {}\n" : "\n");
  write(tree, 2 * kStep, "", text);
  if (options.output_folder.empty()) {
    print(text + '\n');
  } else {
    save(text, node, options.output_folder);
  }
  return 0;
}

void declare_load(Commands & commands, CLI::App & app, ParamOptions & options) {
  declare_one_node(commands, app, options);
  app.add_option("parameter_file", options.file, "The file")->required();
  app.add_flag("--no-use-wildcard", options.no_wildcards, "Leave out what the file has for '/**' and the like");
}

/// What the file has for the node.
std::vector<ParameterNode::Parameter> parameters_in(const ParamOptions & options, const std::string & node) {
  std::vector<ParameterNode::Parameter> parameters;
  try {
    auto by_node = rclcpp::parameter_map_from_yaml_file(options.file, options.no_wildcards ? nullptr : node.c_str());
    for (const rclcpp::Parameter & parameter : by_node[node]) {
      parameters.push_back(parameter.to_parameter_msg());
    }
  } catch (const rclcpp::exceptions::RCLErrorBase & error) {
    throw CommandError(error.message);
  }
  if (parameters.empty()) {
    const auto all = names_of(rclcpp::parameter_map_from_yaml_file(options.file));
    throw CommandError("Param file does not contain parameters for " + node + ", only for nodes: " + listing(all));
  }
  return parameters;
}

int load(ParamOptions & options) {
  Session session(options.session);
  const ParameterNode node = find_node(session, options);
  const auto parameters = parameters_in(options, node.name());
  const auto results = node.set(parameters);
  int status = 0;
  for (std::size_t i = 0; i < results.size(); ++i) {
    const std::string reason = results[i].reason.empty() ? "" : fmt::format(": {}", results[i].reason.c_str());
    if (results[i].successful) {
      print(fmt::format("Set parameter {} successful{}\n", parameters[i].name.c_str(), reason));
    } else {
      fmt::print(stderr, "Set parameter {} failed{}\n", parameters[i].name.c_str(), reason);
      status = 1;
    }
  }
  return status;
}

}  // namespace

void add_param_files(Commands & commands, CLI::App & param) {
  commands.verb<ParamOptions>(param, "dump", "Print the parameters of a node as a parameter file", declare_dump, dump);
  commands.verb<ParamOptions>(param, "load", "Set the parameters that a parameter file has for a node", declare_load,
                              load);
}

}  // namespace ros2cli
