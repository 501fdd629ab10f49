// `ros2 component load` and `standalone`: a component into a container that is there, or into one of its own.
#include <fmt/format.h>
#include <signal.h>
#include <unistd.h>

#include <cerrno>
#include <random>
#include <system_error>

#include "command/verbs.hpp"
#include "component/containers.hpp"
#include "graph/parameter_node.hpp"
#include "installed/ament_index.hpp"
#include "installed/programs.hpp"
#include "terminal/errors.hpp"
#include "terminal/output.hpp"

namespace ros2cli {
namespace {

constexpr std::chrono::seconds kStart{60};  // that a container may need to begin

struct LoadOptions {
  SessionOptions session;
  std::string container;
  std::string package;
  std::string plugin;
  std::string node_name;
  std::string node_namespace;
  int log_level = 0;
  std::vector<std::string> rules;
  std::vector<std::string> parameters;
  std::vector<std::string> extra_arguments;
  bool quiet = false;
};

std::vector<std::string> types_of_last(const std::vector<std::string> & before) {
  return component_types(before.back());
}

void declare_component(Commands & commands, CLI::App & app, LoadOptions & options) {
  commands.complete(app.add_option("package_name", options.package, "Package of the component")->required(),
                    [](const auto &) { return packages_with_components(); });
  commands.complete(app.add_option("plugin_name", options.plugin, "Its class, as types shows it")->required(),
                    types_of_last);
  app.add_option("-n,--node-name", options.node_name, "Name of the node, instead of the one that it gives itself");
  app.add_option("--node-namespace", options.node_namespace, "Its namespace");
  app.add_option("--log-level", options.log_level, "Level of its logger as a number; containers ignore it")
      ->check(CLI::Range(0, 255));
  // One value each: what follows is an argument again.
  const auto repeated = [&app](const char * name, std::vector<std::string> & values, const char * description) {
    app.add_option(name, values, description)->allow_extra_args(false);
  };
  repeated("-r,--remap-rule", options.rules, "Remap names of the node, as in from:=to; may be repeated");
  repeated("-p,--parameter", options.parameters, "Parameter of the node, as in name:=value; may be repeated");
  repeated("-e,--extra-argument", options.extra_arguments,
           "Argument for the container, as in use_intra_process_comms:=true; may be repeated");
}

void declare_load(Commands & commands, CLI::App & app, LoadOptions & options) {
  declare_session(app, options.session);
  commands.complete(
      app.add_option("container_node_name", options.container, "Full name of the container's node")->required(),
      container_names);
  declare_component(commands, app, options);
  app.add_flag("-q,--quiet", options.quiet, "Print only number and name of the component");
}

/// Of "name:=value". \throws CommandError without the sign.
rcl_interfaces::msg::Parameter parameter(const std::string & text) {
  const auto sign = text.find(":=");
  if (sign == std::string::npos || sign == 0) {
    throw CommandError(fmt::format("'{}' is no parameter: it is written name:=value", text));
  }
  rcl_interfaces::msg::Parameter parameter;
  parameter.name = text.substr(0, sign);
  parameter.value = parameter_value(text.substr(sign + 2));
  return parameter;
}

LoadNode::Request request_of(const LoadOptions & options) {
  LoadNode::Request request;
  request.package_name = options.package;
  request.plugin_name = options.plugin;
  request.node_name = options.node_name;
  request.node_namespace = options.node_namespace;
  request.log_level = static_cast<std::uint8_t>(options.log_level);
  request.remap_rules.assign(options.rules.begin(), options.rules.end());
  for (const std::string & text : options.parameters) {
    request.parameters.push_back(parameter(text));
  }
  for (const std::string & text : options.extra_arguments) {
    request.extra_arguments.push_back(parameter(text));
  }
  return request;
}

/// \throws CommandError if the container refuses.
LoadNode::Response load_into(const Session & session, const ServiceQuestion & question,
                             const LoadNode::Request & request) {
  const auto response = ask<LoadNode>(session, question, request);
  if (!response.success) {
    throw CommandError(fmt::format("Failed to load component: {}", response.error_message.c_str()));
  }
  return response;
}

int load(LoadOptions & options) {
  const LoadNode::Request request = request_of(options);
  Session session(options.session);
  const std::string container = find_container(session, options.container);
  const auto response = load_into(session, question_to(container, "load_node", session.announce()), request);
  const char * const name = response.full_node_name.c_str();
  print(options.quiet ? fmt::format("{}  {}\n", response.unique_id, name)
                      : fmt::format("Loaded component {} into '{}' container node as '{}'\n", response.unique_id,
                                    container, name));
  return 0;
}

void declare_standalone(Commands & commands, CLI::App & app, LoadOptions & options) {
  declare_session(app, options.session);
  declare_component(commands, app, options);
  app.add_option("-c,--container-node-name", options.container, "Name of the container's node");
}

/// In a process of its own: loads, and ends the container if that fails. \return its exit status.
int load_and_end(const LoadOptions & options, const LoadNode::Request & request, pid_t container) {
  try {
    Session session(options.session);
    ServiceQuestion question = question_to("/" + options.container, "load_node", session.announce());
    question.deadline = std::chrono::steady_clock::now() + kStart;
    load_into(session, question, request);
    return 0;
  } catch (const std::exception & error) {
    if (getppid() == container) {
      print(fmt::format("{}, interrupting container node\n", error.what()));
      kill(container, SIGINT);
    }
    return 1;
  }
}

/// This process becomes the container, so signals and exit status are the container's.
int standalone(LoadOptions & options) {
  const LoadNode::Request request = request_of(options);
  if (options.container.empty()) {
    std::random_device random;
    options.container = fmt::format("standalone_container_{:06x}{:06x}", random() & 0xffffffU, random() & 0xffffffU);
  }
  const std::string program = executable_path("rclcpp_components", "component_container");
  const pid_t self = getpid();
  const pid_t loader = fork();
  if (loader < 0) {
    throw CommandError("cannot start a process: " + std::generic_category().message(errno));
  }
  if (loader == 0) {
    _exit(load_and_end(options, request, self));
  }
  become({program, "--ros-args", "-r", "__node:=" + options.container});
}

}  // namespace

void add_component_load(Commands & commands, CLI::App & component) {
  commands.verb<LoadOptions>(component, "load", "Load a component into a container", declare_load, load);
  commands.verb<LoadOptions>(component, "standalone", "Run a component in a container of its own", declare_standalone,
                             standalone);
}

}  // namespace ros2cli
