// `ros2 node`: which nodes there are and what they have.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "command/verbs.hpp"
#include "graph/graph.hpp"
#include "terminal/errors.hpp"
#include "terminal/json.hpp"
#include "terminal/output.hpp"

namespace ros2cli {
namespace {

struct NodeOptions {
  SessionOptions session;
  std::string name;
  bool hidden = false;
  bool count = false;
  bool json = false;
};

void declare_list(Commands &, CLI::App & app, NodeOptions & options) {
  declare_session(app, options.session);
  app.add_flag("-a,--all", options.hidden, "Show hidden nodes too, whose names begin with '_'");
  app.add_flag("-c,--count-nodes", options.count, "Print only how many nodes there are");
  app.add_flag("--json", options.json, "Print JSON: an array of names");
}

int list(NodeOptions & options) {
  const std::vector<std::string> names = nodes_of(Session(options.session).graph(), options.hidden);
  if (options.json) {
    print_json(Json(names));
    return 0;
  }
  if (options.count) {
    print(fmt::format("{}\n", names.size()));
    return 0;
  }
  if (std::adjacent_find(names.begin(), names.end()) != names.end()) {
    fmt::print(
        stderr,
        "WARNING: Be aware that there are nodes in the graph that share an exact name, which can have unintended "
        "side effects.\n");
  }
  print(names.empty() ? "" : fmt::format("{}\n", fmt::join(names, "\n")));
  return 0;
}

void declare_info(Commands & commands, CLI::App & app, NodeOptions & options) {
  declare_session(app, options.session);
  commands.complete(app.add_option("node_name", options.name, "Full name of the node, such as /talker")->required(),
                    node_names);
  app.add_flag("--include-hidden", options.hidden, "Show hidden topics and services too");
  app.add_flag("--json", options.json, "Print JSON: the node with its topics, services and actions");
}

/// Topics or services that the node has one end of, with the types that it uses there.
using Ends = std::map<std::string, std::set<std::string>>;

/// What the node has.
struct Ownings {
  Ends subscribers;
  Ends publishers;
  Ends servers;
  Ends clients;
  Ends action_servers;
  Ends action_clients;
};

Ownings ownings_of(const transport::GraphSnapshot & graph, const NodeOptions & options) {
  Ownings ownings;
  const auto add_of = [&](Ends & ends, const std::string & name, const std::string & node, const std::string & type) {
    if (node == options.name) {
      ends[name].insert(type);
    }
  };
  const auto add = [&](Ends & ends, const std::string & name, const transport::NodeName & node,
                       const std::string & type) { add_of(ends, name, full_name(node), type); };
  for (const auto & [name, topic] : topics_of(graph, options.hidden)) {
    for (const transport::EndpointInfo & subscription : topic.subscriptions) {
      add(ownings.subscribers, name, subscription.node, subscription.type_name);
    }
    for (const transport::EndpointInfo & publisher : topic.publishers) {
      add(ownings.publishers, name, publisher.node, publisher.type_name);
    }
  }
  for (const auto & [name, service] : services_of(graph, options.hidden)) {
    for (const ServiceEnd & server : service.servers) {
      add(ownings.servers, name, server.request.node, server.type());
    }
    for (const ServiceEnd & client : service.clients) {
      add(ownings.clients, name, client.request.node, client.type());
    }
  }
  for (const auto & [name, action] : actions_of(graph)) {
    for (const auto & [node, type] : action.servers) {
      add_of(ownings.action_servers, name, node, type);
    }
    for (const auto & [node, type] : action.clients) {
      add_of(ownings.action_clients, name, node, type);
    }
  }
  return ownings;
}

std::string section(const std::string & heading, const Ends & ends) {
  std::string text = "  " + heading + ":\n";
  for (const auto & [name, types] : ends) {
    text += fmt::format("    {}: {}\n", name, fmt::join(types, ", "));
  }
  return ends.empty() ? text + '\n' : text;
}

int info(NodeOptions & options) {
  options.name = node_name(options.name);
  const transport::GraphSnapshot graph = Session(options.session).graph();
  const std::vector<std::string> names = nodes_of(graph, true);
  const auto count = std::count(names.begin(), names.end(), options.name);
  if (count == 0) {
    throw unknown("node", options.name, names);
  }
  if (count > 1) {
    fmt::print(stderr,
               "There are {} nodes in the graph with the exact name \"{}\". What they have is shown together.\n", count,
               options.name);
  }
  const Ownings ownings = ownings_of(graph, options);
  if (options.json) {
    print_json({{"name", options.name},
                {"subscribers", ownings.subscribers},
                {"publishers", ownings.publishers},
                {"service_servers", ownings.servers},
                {"service_clients", ownings.clients},
                {"action_servers", ownings.action_servers},
                {"action_clients", ownings.action_clients}});
    return 0;
  }
  print(options.name + '\n' + section("Subscribers", ownings.subscribers) + section("Publishers", ownings.publishers) +
        section("Service Servers", ownings.servers) + section("Service Clients", ownings.clients) +
        section("Action Servers", ownings.action_servers) + section("Action Clients", ownings.action_clients));
  return 0;
}

}  // namespace

void add_node(Commands & commands) {
  CLI::App & node = commands.group("node", "Show nodes");
  commands.verb<NodeOptions>(node, "list", "List the nodes", declare_list, list);
  commands.verb<NodeOptions>(node, "info", "Show what a node subscribes to, publishes, serves and calls", declare_info,
                             info);
}

}  // namespace ros2cli
