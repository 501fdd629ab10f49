// `ros2 param list` and `describe`: which parameters nodes have, and what may be said of them.
#include <fmt/format.h>

#include <regex>

#include "command/verbs.hpp"
#include "param/param_options.hpp"
#include "terminal/errors.hpp"
#include "terminal/output.hpp"
#include "terminal/python_text.hpp"

namespace ros2cli {
namespace {

void declare_list(Commands & commands, CLI::App & app, ParamOptions & options) {
  declare_node(commands, app, options);
  app.add_option("--filter", options.filter, "Show only parameters whose names begin as this regular expression says");
  app.add_option("--param-prefixes", options.prefixes, "Show only parameters below these prefixes");
  app.add_flag("--param-type", options.show_types, "Show the types too");
}

/// Of one node, a line each.
std::string lines_of(const ParameterNode & node, const ParamOptions & options) {
  std::vector<std::string> names = node.list(options.prefixes);
  if (!options.filter.empty()) {
    const std::regex filter(options.filter);
    std::erase_if(names, [&](const std::string & name) {
      return !std::regex_search(name, filter, std::regex_constants::match_continuous);
    });
  }
  std::string lines = options.node.empty() && !names.empty() ? node.name() + ":\n" : "";
  if (!options.show_types || names.empty()) {
    for (const std::string & name : names) {
      lines += "  " + name + '\n';
    }
    return lines;
  }
  for (const ParameterNode::Descriptor & descriptor : node.describe(names)) {
    lines += fmt::format("  {} (type: {})\n", descriptor.name.c_str(), type_name(descriptor.type));
  }
  return lines;
}

/// A node without services is told of, and does not keep others from being shown.
int list_all(Session & session, const std::vector<std::string> & names, const ParamOptions & options) {
  const transport::NodeName self = session.announce();
  const auto deadline = service_deadline();
  int status = 0;
  for (const std::string & name : names) {
    try {
      print(lines_of({session, self, name, deadline}, options));
    } catch (const CommandError & error) {
      fmt::print(stderr, "{}\n", error.what());
      status = 1;
    }
  }
  return status;
}

int list(ParamOptions & options) {
  try {
    std::regex(options.filter);
  } catch (const std::regex_error & error) {
    throw CommandError(fmt::format("'{}' is no regular expression: {}", options.filter, error.what()));
  }
  Session session(options.session);
  if (options.node.empty()) {
    return list_all(session, present_nodes(session, options), options);
  }
  print(lines_of(find_node(session, options), options));
  return 0;
}

void declare_describe(Commands & commands, CLI::App & app, ParamOptions & options) {
  declare_one_node(commands, app, options);
  commands.complete(app.add_option("parameter_names", options.parameters, "Names of the parameters")->required(),
                    parameter_names);
}

/// Of its numbers, as Python prints them.
template <class Range>
std::string range_text(const Range & range) {
  const auto values = tandem::value_of(tandem::message_type<Range>(), &range);
  std::string text = fmt::format("    Min value: {}\n    Max value: {}\n", python_text(tandem::member(values, 0)),
                                 python_text(tandem::member(values, 1)));
  return range.step != 0 ? text + fmt::format("    Step: {}\n", python_text(tandem::member(values, 2))) : text;
}

std::string text_of(const ParameterNode::Descriptor & descriptor) {
  std::string text =
      fmt::format("Parameter name: {}\n  Type: {}\n", descriptor.name.c_str(), type_name(descriptor.type));
  if (!descriptor.description.empty()) {
    text += fmt::format("  Description: {}\n", descriptor.description.c_str());
  }
  text += "  Constraints:\n";
  if (descriptor.read_only) {
    text += "    Read only: true\n";
  }
  if (!descriptor.floating_point_range.empty()) {
    text += range_text(descriptor.floating_point_range[0]);
  } else if (!descriptor.integer_range.empty()) {
    text += range_text(descriptor.integer_range[0]);
  }
  if (!descriptor.additional_constraints.empty()) {
    text += fmt::format("    Additional constraints: {}\n", descriptor.additional_constraints.c_str());
  }
  return text;
}

int describe(ParamOptions & options) {
  Session session(options.session);
  const ParameterNode node = find_node(session, options);
  const auto descriptors = node.describe(options.parameters);
  for (const ParameterNode::Descriptor & descriptor : descriptors) {
    print(text_of(descriptor));
  }
  if (descriptors.empty()) {
    throw CommandError("node " + node.name() +
                       " has not declared all of these parameters: " + listing(options.parameters));
  }
  return 0;
}

}  // namespace

void add_param_list(Commands & commands, CLI::App & param) {
  commands.verb<ParamOptions>(param, "list", "List the parameters of a node, or of all nodes", declare_list, list);
  commands.verb<ParamOptions>(param, "describe", "Show type, description and constraints of parameters",
                              declare_describe, describe);
}

}  // namespace ros2cli
