// `ros2 lifecycle`: nodes whose state can be asked for and changed.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "command/verbs.hpp"
#include "graph/graph.hpp"
#include "graph/service_question.hpp"
#include "lifecycle_msgs/srv/change_state.hpp"
#include "lifecycle_msgs/srv/get_available_transitions.hpp"
#include "lifecycle_msgs/srv/get_state.hpp"
#include "terminal/errors.hpp"
#include "terminal/output.hpp"

namespace ros2cli {
namespace {

using lifecycle_msgs::srv::ChangeState;
using lifecycle_msgs::srv::GetAvailableTransitions;
using lifecycle_msgs::srv::GetState;

struct LifecycleOptions {
  SessionOptions session;
  std::string node;
  std::string transition;
  bool hidden = false;
  bool count = false;
  bool all = false;
};

/// The nodes that tell their state, sorted, each once.
std::vector<std::string> lifecycle_nodes(const transport::GraphSnapshot & graph, bool with_hidden) {
  const auto services = services_of(graph, true);
  std::vector<std::string> nodes = nodes_of(graph, with_hidden);
  nodes.erase(std::unique(nodes.begin(), nodes.end()), nodes.end());
  std::erase_if(nodes, [&](const std::string & node) {
    const auto service = services.find(node + "/get_state");
    return service == services.end() || service->second.types.count("lifecycle_msgs/srv/GetState") == 0;
  });
  return nodes;
}

std::string find_node(const Session & session, const LifecycleOptions & options) {
  const std::string name = node_name(options.node);
  const std::vector<std::string> nodes = lifecycle_nodes(session.graph(), options.hidden);
  if (!std::binary_search(nodes.begin(), nodes.end(), name)) {
    throw unknown("node with a lifecycle", name, nodes);
  }
  return name;
}

ServiceQuestion question_to(const std::string & node, const std::string & service, const transport::NodeName & self) {
  return {self, node, service, fmt::format("node {} has no service '{}'", node, service)};
}

auto transitions_of(const Session & session, const std::string & node, const char * service,
                    const transport::NodeName & self) {
  return ask<GetAvailableTransitions>(session, question_to(node, service, self), GetAvailableTransitions::Request())
      .available_transitions;
}

std::vector<std::string> node_completer(const std::vector<std::string> &) {
  return lifecycle_nodes(Session().graph(), false);
}

std::vector<std::string> transition_completer(const std::vector<std::string> & before) {
  Session session;
  const transport::NodeName self = session.announce();
  std::vector<std::string> labels;
  for (const auto & possible : transitions_of(session, node_name(before.at(0)), "get_available_transitions", self)) {
    labels.emplace_back(possible.transition.label.c_str());
  }
  return labels;
}

CLI::Option * declare_node(Commands & commands, CLI::App & app, LifecycleOptions & options) {
  declare_session(app, options.session);
  CLI::Option * node = app.add_option("node_name", options.node, "Full name of the node, such as /camera");
  commands.complete(node, node_completer);
  app.add_flag("--include-hidden-nodes", options.hidden, "Consider hidden nodes too, whose names begin with '_'");
  return node;
}

void declare_nodes(Commands &, CLI::App & app, LifecycleOptions & options) {
  declare_session(app, options.session);
  app.add_flag("-a,--all", options.hidden, "Show hidden nodes too, whose names begin with '_'");
  app.add_flag("-c,--count-nodes", options.count, "Print only how many nodes there are");
}

int nodes(LifecycleOptions & options) {
  const std::vector<std::string> names = lifecycle_nodes(Session(options.session).graph(), options.hidden);
  if (options.count) {
    print(fmt::format("{}\n", names.size()));
  } else {
    print(names.empty() ? "" : fmt::format("{}\n", fmt::join(names, "\n")));
  }
  return 0;
}

void declare_get(Commands & commands, CLI::App & app, LifecycleOptions & options) {
  declare_node(commands, app, options);
}

/// "inactive [2]"
std::string state_of(const Session & session, const std::string & node, const transport::NodeName & self) {
  const auto state = ask<GetState>(session, question_to(node, "get_state", self), GetState::Request()).current_state;
  return fmt::format("{} [{}]\n", state.label.c_str(), state.id);
}

/// Of all nodes: one that does not answer does not keep others from being shown.
int get(LifecycleOptions & options) {
  Session session(options.session);
  if (!options.node.empty()) {
    const std::string node = find_node(session, options);
    print(state_of(session, node, session.announce()));
    return 0;
  }
  const std::vector<std::string> nodes = lifecycle_nodes(session.graph(), options.hidden);
  const transport::NodeName self = session.announce();
  for (const std::string & node : nodes) {
    try {
      print(node + ": " + state_of(session, node, self));
    } catch (const CommandError & error) {
      fmt::print(stderr, "ros2: {}\n", error.what());
    }
  }
  return 0;
}

void declare_list(Commands & commands, CLI::App & app, LifecycleOptions & options) {
  declare_node(commands, app, options)->required();
  app.add_flag("-a,--all", options.all, "Show all transitions that there are, not only those from the present state");
}

int list(LifecycleOptions & options) {
  Session session(options.session);
  const std::string node = find_node(session, options);
  const char * const service = options.all ? "get_transition_graph" : "get_available_transitions";
  for (const auto & possible : transitions_of(session, node, service, session.announce())) {
    print(fmt::format("- {} [{}]\n\tStart: {}\n\tGoal: {}\n", possible.transition.label.c_str(), possible.transition.id,
                      possible.start_state.label.c_str(), possible.goal_state.label.c_str()));
  }
  return 0;
}

void declare_set(Commands & commands, CLI::App & app, LifecycleOptions & options) {
  declare_node(commands, app, options)->required();
  commands.complete(
      app.add_option("transition", options.transition, "The transition, by its label or its number")->required(),
      transition_completer);
}

/// By its label, else by its number. \throws CommandError with those that there are.
template <class Transitions>
auto find_transition(const Transitions & transitions, const std::string & wanted) {
  for (const auto & possible : transitions) {
    if (wanted == possible.transition.label.c_str()) {
      return possible.transition;
    }
  }
  std::string available;
  for (const auto & possible : transitions) {
    if (wanted == std::to_string(possible.transition.id)) {
      return possible.transition;
    }
    available += fmt::format("\n- {} [{}]", possible.transition.label.c_str(), possible.transition.id);
  }
  throw CommandError("Unknown transition requested, available ones are:" + available);
}

int set(LifecycleOptions & options) {
  Session session(options.session);
  const std::string node = find_node(session, options);
  const transport::NodeName self = session.announce();
  ChangeState::Request request;
  request.transition =
      find_transition(transitions_of(session, node, "get_available_transitions", self), options.transition);
  if (!ask<ChangeState>(session, question_to(node, "change_state", self), request).success) {
    fmt::print(stderr, "Transitioning failed\n");
    return 1;
  }
  print("Transitioning successful\n");
  return 0;
}

}  // namespace

void add_lifecycle(Commands & commands) {
  CLI::App & lifecycle = commands.group("lifecycle", "Show and change the states of nodes with a lifecycle");
  commands.verb<LifecycleOptions>(lifecycle, "nodes", "List the nodes with a lifecycle", declare_nodes, nodes);
  commands.verb<LifecycleOptions>(lifecycle, "get", "Print the state of a node, or of all", declare_get, get);
  commands.verb<LifecycleOptions>(lifecycle, "list", "List the transitions that a node can make", declare_list, list);
  commands.verb<LifecycleOptions>(lifecycle, "set", "Have a node make a transition", declare_set, set);
}

}  // namespace ros2cli
