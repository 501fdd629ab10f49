// `ros2 action list`, `info`, `type` and `find`: which actions there are, and who has them.
#include <fmt/format.h>

#include "command/verbs.hpp"
#include "graph/graph.hpp"
#include "graph/list_options.hpp"
#include "terminal/json.hpp"
#include "terminal/output.hpp"

namespace ros2cli {
namespace {

using Actions = std::map<std::string, Action>;

Actions actions_in(const SessionOptions & session) { return actions_of(Session(session).graph()); }

void declare_list(Commands &, CLI::App & app, ListOptions & options) {
  declare_session(app, options.session);
  declare_types(app, options);
  declare_count(app, options, "actions");
  app.add_flag("--json", options.json, "Print JSON: an array of actions with types and numbers");
}

int list(ListOptions & options) {
  const Actions actions = actions_in(options.session);
  if (!options.json) {
    print_list(options, types_by_name(actions));
    return 0;
  }
  Json all = Json::array();
  for (const auto & [name, action] : actions) {
    all.push_back({{"name", name},
                   {"types", action.types},
                   {"clients", action.clients.size()},
                   {"servers", action.servers.size()}});
  }
  print_json(all);
  return 0;
}

void declare_name(Commands & commands, CLI::App & app, ListOptions & options) {
  declare_session(app, options.session);
  commands.complete(app.add_option("action_name", options.name, "Name of the action, such as /fibonacci")->required(),
                    action_names);
}

int type(ListOptions & options) {
  print_types("action", action_name(options.name), types_by_name(actions_in(options.session)));
  return 0;
}

void declare_find(Commands & commands, CLI::App & app, ListOptions & options) {
  declare_session(app, options.session);
  commands.complete(
      app.add_option("action_type", options.name, "Type, such as example_interfaces/action/Fibonacci")->required(),
      action_types);
  declare_count(app, options, "actions");
}

int find(ListOptions & options) {
  print_found(options, types_by_name(actions_in(options.session)));
  return 0;
}

void declare_info(Commands & commands, CLI::App & app, ListOptions & options) {
  declare_name(commands, app, options);
  declare_types(app, options);
  app.add_flag("-c,--count", options.count, "Print only how many clients and servers there are");
  app.add_flag("--json", options.json, "Print JSON: the action with its clients and servers");
}

using Ends = std::vector<std::pair<std::string, std::string>>;

std::string ends_text(const std::string & what, const Ends & ends, const ListOptions & options) {
  std::string text = fmt::format("Action {}: {}\n", what, ends.size());
  for (const auto & [node, type] : ends) {
    if (!options.count) {
      text += options.types ? fmt::format("    {} [{}]\n", node, type) : fmt::format("    {}\n", node);
    }
  }
  return text;
}

Json ends_json(const Ends & ends) {
  Json all = Json::array();
  for (const auto & [node, type] : ends) {
    all.push_back({{"node", node}, {"type", type}});
  }
  return all;
}

int info(ListOptions & options) {
  const std::string name = action_name(options.name);
  const Action action = actions_in(options.session)[name];  // as in ROS 2, one that nobody has is no error
  if (options.json) {
    print_json({{"name", name},
                {"types", action.types},
                {"clients", ends_json(action.clients)},
                {"servers", ends_json(action.servers)}});
    return 0;
  }
  print(fmt::format("Action: {}\n", options.name) + ends_text("clients", action.clients, options) +
        ends_text("servers", action.servers, options));
  return 0;
}

}  // namespace

void add_action_list(Commands & commands, CLI::App & action) {
  commands.verb<ListOptions>(action, "list", "List the actions", declare_list, list);
  commands.verb<ListOptions>(action, "info", "Show which nodes serve and use an action", declare_info, info);
  commands.verb<ListOptions>(action, "type", "Print the type of an action", declare_name, type);
  commands.verb<ListOptions>(action, "find", "List the actions of a type", declare_find, find);
}

}  // namespace ros2cli
