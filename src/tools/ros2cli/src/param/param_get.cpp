// `ros2 param get`, `set` and `delete`: one parameter of one node.
#include <fmt/format.h>

#include <array>

#include "command/verbs.hpp"
#include "param/param_options.hpp"
#include "terminal/errors.hpp"
#include "terminal/output.hpp"
#include "terminal/python_text.hpp"

namespace ros2cli {
namespace {

// In the order of rcl_interfaces/msg/ParameterType.
constexpr std::array kLabels{
    "Parameter not set.", "Boolean value is:",   "Integer value is:",   "Double value is:",   "String value is:",
    "Byte values are:",   "Boolean values are:", "Integer values are:", "Double values are:", "String values are:"};

CommandError not_declared(const ParameterNode & node, const std::string & parameter) {
  return unknown("parameter of " + node.name(), parameter, node.list());
}

void declare_get(Commands & commands, CLI::App & app, ParamOptions & options) {
  declare_one_node(commands, app, options);
  declare_parameter(commands, app, options);
  app.add_flag("--hide-type", options.hide_type, "Print only the value");
}

std::string value_text(const ParameterNode::Value & value) {
  if (value.type == 0) {
    return "None";
  }
  const tandem::Value held = held_value(value);
  const bool is_text = held.kind == tandem::FieldKind::kString && held.shape == tandem::FieldShape::kSingle;
  return is_text ? std::string(tandem::as_string(held)) : python_text(held);
}

int get(ParamOptions & options) {
  Session session(options.session);
  const ParameterNode node = find_node(session, options);
  const auto values = node.get({options.parameter});
  if (values.empty()) {
    throw not_declared(node, options.parameter);
  }
  const ParameterNode::Value & value = values.front();
  if (value.type >= kLabels.size()) {
    throw CommandError(fmt::format("Unknown parameter type '{}'", value.type));
  }
  if (options.hide_type) {
    print(value_text(value) + '\n');
  } else {
    print(value.type == 0 ? fmt::format("{}\n", kLabels[0])
                          : fmt::format("{} {}\n", kLabels[value.type], value_text(value)));
  }
  return 0;
}

void declare_set(Commands & commands, CLI::App & app, ParamOptions & options) {
  declare_one_node(commands, app, options);
  declare_parameter(commands, app, options);
  app.add_option("value", options.value, "The value as YAML, such as 1.5, true or '[a, b]'; other text is a string")
      ->required();
}

/// As parameter files have it. What is no value there is a string, and "[]" has the type that the parameter has.
ParameterNode::Value value_of(const ParameterNode & node, const ParamOptions & options) {
  if (options.value == "[]") {
    auto values = node.get({options.parameter});
    ParameterNode::Value empty;
    empty.type = values.empty() ? empty.type : values.front().type;
    return empty;
  }
  return parameter_value(options.value);
}

/// Prints what came of it. \return the exit status.
int report(const ParameterNode::Result & result, const std::string & success, const std::string & failure) {
  const std::string reason = result.reason.empty() ? "" : fmt::format(": {}", result.reason.c_str());
  if (!result.successful) {
    fmt::print(stderr, "{}{}\n", failure, reason);
    return 1;
  }
  print(success + reason + '\n');
  return 0;
}

int set(ParamOptions & options) {
  Session session(options.session);
  const ParameterNode node = find_node(session, options);
  ParameterNode::Parameter parameter;
  parameter.name = options.parameter;
  parameter.value = value_of(node, options);
  return report(node.set({parameter}).front(), "Set parameter successful", "Setting parameter failed");
}

void declare_delete(Commands & commands, CLI::App & app, ParamOptions & options) {
  declare_one_node(commands, app, options);
  declare_parameter(commands, app, options);
}

int remove(ParamOptions & options) {
  Session session(options.session);
  const ParameterNode node = find_node(session, options);
  ParameterNode::Parameter parameter;
  parameter.name = options.parameter;
  return report(node.set({parameter}).front(), "Deleted parameter successfully", "Deleting parameter failed");
}

}  // namespace

void add_param_get(Commands & commands, CLI::App & param) {
  commands.verb<ParamOptions>(param, "get", "Print the value of a parameter", declare_get, get);
  commands.verb<ParamOptions>(param, "set", "Set a parameter", declare_set, set);
  commands.verb<ParamOptions>(param, "delete", "Delete a parameter", declare_delete, remove);
}

}  // namespace ros2cli
