#include "param/param_options.hpp"

#include <algorithm>
#include <array>
#include <thread>

#include "graph/graph.hpp"
#include "terminal/errors.hpp"

namespace ros2cli {
namespace {

using std::chrono::steady_clock;

constexpr std::chrono::milliseconds kLookForNode{20};
constexpr std::chrono::seconds kServicePatience{5};
// In the order of rcl_interfaces/msg/ParameterType.
constexpr std::array kTypeNames{"not set",    "boolean",       "integer",       "double",       "string",
                                "byte array", "boolean array", "integer array", "double array", "string array"};

}  // namespace

CLI::Option * declare_node(Commands & commands, CLI::App & app, ParamOptions & options) {
  declare_session(app, options.session);
  CLI::Option * node = app.add_option("node_name", options.node, "Full name of the node, such as /talker");
  commands.complete(node, node_names);
  app.add_flag("--include-hidden-nodes", options.hidden_nodes, "Consider hidden nodes too, whose names begin with '_'");
  return node;
}

void declare_one_node(Commands & commands, CLI::App & app, ParamOptions & options) {
  declare_node(commands, app, options)->required();
  app.add_option("--timeout", options.timeout, "Seconds to wait for the node")->check(non_negative_number());
}

void declare_parameter(Commands & commands, CLI::App & app, ParamOptions & options) {
  commands.complete(app.add_option("parameter_name", options.parameter, "Name of the parameter")->required(),
                    parameter_names);
}

std::vector<std::string> present_nodes(const Session & session, const ParamOptions & options) {
  std::vector<std::string> names = nodes_of(session.graph(), options.hidden_nodes);
  names.erase(std::unique(names.begin(), names.end()), names.end());
  return names;
}

Deadline service_deadline() { return steady_clock::now() + kServicePatience; }

ParameterNode find_node(Session & session, const ParamOptions & options) {
  const std::string name = node_name(options.node);
  const auto end = steady_clock::now() +
                   std::chrono::duration_cast<steady_clock::duration>(std::chrono::duration<double>(options.timeout));
  for (;;) {
    const std::vector<std::string> names = present_nodes(session, options);
    if (std::binary_search(names.begin(), names.end(), name)) {
      return {session, session.announce(), name, service_deadline()};
    }
    if (steady_clock::now() >= end) {
      throw unknown("node", name, names);
    }
    std::this_thread::sleep_for(kLookForNode);
  }
}

const char * type_name(std::uint8_t type) { return type < kTypeNames.size() ? kTypeNames[type] : "unknown"; }

// The message's fields are its type and, in the order of the types' numbers, a value of each.
tandem::Value held_value(const ParameterNode::Value & value) {
  return tandem::member(tandem::value_of(tandem::message_type<ParameterNode::Value>(), &value), value.type);
}

}  // namespace ros2cli
