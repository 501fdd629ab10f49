// `ros2 component`: containers and what is in them. `list`, `types` and `unload`; the others have a file of their own.
#include <fmt/format.h>

#include <algorithm>

#include "command/verbs.hpp"
#include "component/containers.hpp"
#include "graph/graph.hpp"
#include "installed/ament_index.hpp"
#include "terminal/errors.hpp"
#include "terminal/output.hpp"

namespace ros2cli {
namespace {

constexpr std::chrono::seconds kPatience{5};  // for containers that stand still

struct ComponentOptions {
  SessionOptions session;
  std::string container;
  std::string package;
  std::vector<std::uint64_t> ids;
  bool containers_only = false;
  bool quiet = false;
};

void declare_list(Commands & commands, CLI::App & app, ComponentOptions & options) {
  declare_session(app, options.session);
  commands.complete(app.add_option("container_node_name", options.container, "Full name of one container's node"),
                    container_names);
  app.add_flag("--containers-only", options.containers_only, "List only the containers");
}

/// "1  /talker", a line each. \throws CommandError if the container does not answer.
std::string lines_of(const Session & session, const transport::NodeName & self, const std::string & container,
                     const std::string & indent) {
  ServiceQuestion question = question_to(container, "list_nodes", self);
  question.absent = "No 'list_nodes' service found";
  question.late = "No 'list_nodes' service response";
  question.reply_by = std::chrono::steady_clock::now() + kPatience;
  const auto response = ask<ListNodes>(session, question, ListNodes::Request());
  std::string lines;
  for (std::size_t i = 0; i < std::min(response.unique_ids.size(), response.full_node_names.size()); ++i) {
    lines += fmt::format("{}{}  {}\n", indent, response.unique_ids[i], response.full_node_names[i].c_str());
  }
  return lines;
}

int list_one(Session & session, const ComponentOptions & options) {
  const std::string container = find_container(session, options.container);
  if (options.containers_only) {
    return 0;
  }
  try {
    print(lines_of(session, session.announce(), container, ""));
  } catch (const CommandError & error) {
    throw CommandError(fmt::format("{} when listing components in {}", error.what(), container));
  }
  return 0;
}

/// A container that does not answer is told of, and does not keep others from being shown.
int list(ComponentOptions & options) {
  Session session(options.session);
  if (!options.container.empty()) {
    return list_one(session, options);
  }
  const std::vector<std::string> containers = containers_of(session.graph());
  const transport::NodeName self = session.announce();
  for (const std::string & container : containers) {
    print(container + '\n');
    try {
      print(options.containers_only ? "" : lines_of(session, self, container, "  "));
    } catch (const CommandError & error) {
      print(fmt::format("{} when listing components\n", error.what()));
    }
  }
  return 0;
}

void declare_types(Commands & commands, CLI::App & app, ComponentOptions & options) {
  commands.complete(app.add_option("package_name", options.package, "Name of one package"),
                    [](const auto &) { return packages_with_components(); });
}

std::string type_lines(const std::string & package, const std::string & indent) {
  std::string lines;
  for (const std::string & type : component_types(package)) {
    lines += indent + type + '\n';
  }
  return lines;
}

int types(ComponentOptions & options) {
  if (!options.package.empty()) {
    package_prefix(options.package);  // refuses an unknown name
    print(type_lines(options.package, ""));
    return 0;
  }
  for (const std::string & package : packages_with_components()) {
    print(package + '\n' + type_lines(package, "  "));
  }
  return 0;
}

void declare_unload(Commands & commands, CLI::App & app, ComponentOptions & options) {
  declare_session(app, options.session);
  commands.complete(
      app.add_option("container_node_name", options.container, "Full name of the container's node")->required(),
      container_names);
  app.add_option("component_uid", options.ids, "Numbers of the components, as list shows them")->required();
  app.add_flag("-q,--quiet", options.quiet, "Print only the numbers");
}

int unload(ComponentOptions & options) {
  Session session(options.session);
  const std::string container = find_container(session, options.container);
  const transport::NodeName self = session.announce();
  for (const std::uint64_t id : options.ids) {
    UnloadNode::Request request;
    request.unique_id = id;
    const auto response = ask<UnloadNode>(session, question_to(container, "unload_node", self), request);
    if (!response.success) {
      throw CommandError(fmt::format("Failed to unload component {} from '{}' container node\n    {}", id, container,
                                     response.error_message.c_str()));
    }
    print(options.quiet ? fmt::format("{}\n", id)
                        : fmt::format("Unloaded component {} from '{}' container node\n", id, container));
  }
  return 0;
}

}  // namespace

void add_component(Commands & commands) {
  CLI::App & component = commands.group("component", "Load nodes into containers, and show and unload them");
  commands.verb<ComponentOptions>(component, "list", "List containers and what is loaded into them", declare_list,
                                  list);
  add_component_load(commands, component);
  commands.verb<ComponentOptions>(component, "types", "List the components that are installed", declare_types, types);
  commands.verb<ComponentOptions>(component, "unload", "Unload components from a container", declare_unload, unload);
}

}  // namespace ros2cli
