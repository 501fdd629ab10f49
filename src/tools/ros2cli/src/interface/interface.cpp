// `ros2 interface`: what messages, services and actions look like.
#include <unistd.h>

#include <algorithm>
#include <iostream>

#include "command/verbs.hpp"
#include "installed/ament_index.hpp"
#include "interface/interface_text.hpp"
#include "messages/message_types.hpp"
#include "tandem/yaml.hpp"
#include "terminal/errors.hpp"
#include "terminal/output.hpp"

namespace ros2cli {
namespace {

struct InterfaceOptions {
  std::string name;
  bool messages = false;
  bool services = false;
  bool actions = false;
  bool all_comments = false;
  bool no_comments = false;
  bool no_quotes = false;
};

struct Kind {
  const char * heading;
  const char * folder;
  bool InterfaceOptions::*only;
};
constexpr Kind kKinds[] = {
    {"Messages", "msg", &InterfaceOptions::messages},
    {"Services", "srv", &InterfaceOptions::services},
    {"Actions", "action", &InterfaceOptions::actions},
};

bool wants(const InterfaceOptions & options, const Kind & kind) {
  return options.*kind.only || (!options.messages && !options.services && !options.actions);
}

std::vector<std::string> interface_names(const std::vector<std::string> &) { return all_interfaces(); }
std::vector<std::string> interface_packages(const std::vector<std::string> &) {
  return names_of(resources("rosidl_interfaces"));
}

void declare_kinds(Commands &, CLI::App & app, InterfaceOptions & options) {
  app.add_flag("-m,--only-msgs", options.messages, "Only messages");
  app.add_flag("-s,--only-srvs", options.services, "Only services");
  app.add_flag("-a,--only-actions", options.actions, "Only actions");
}

int list(InterfaceOptions & options) {
  std::string lines;
  for (const Kind & kind : kKinds) {
    if (wants(options, kind)) {
      lines += std::string(kind.heading) + ":\n";
      for (const std::string & name : all_interfaces(kind.folder)) {
        lines += "    " + name + '\n';
      }
    }
  }
  print(lines);
  return 0;
}

void declare_package(Commands & commands, CLI::App & app, InterfaceOptions & options) {
  declare_kinds(commands, app, options);
  commands.complete(app.add_option("package_name", options.name, "Name of a package with interfaces")->required(),
                    interface_packages);
}

int package(InterfaceOptions & options) {
  std::string lines;
  for (const Kind & kind : kKinds) {
    for (const std::string & name : interfaces(options.name)) {
      if (wants(options, kind) && name.starts_with(std::string(kind.folder) + '/')) {
        lines += options.name + '/' + name + '\n';
      }
    }
  }
  print(lines);
  return 0;
}

int packages(InterfaceOptions & options) {
  std::string lines;
  for (const std::string & name : interface_packages({})) {
    for (const Kind & kind : kKinds) {
      const auto all = interfaces(name);
      if (wants(options, kind) && std::any_of(all.begin(), all.end(), [&](const std::string & interface) {
            return interface.starts_with(std::string(kind.folder) + '/');
          })) {
        lines += name + '\n';
        break;
      }
    }
  }
  print(lines);
  return 0;
}

void declare_show(Commands & commands, CLI::App & app, InterfaceOptions & options) {
  auto * all = app.add_flag("--all-comments", options.all_comments, "Show the comments of nested interfaces too");
  app.add_flag("--no-comments", options.no_comments, "Show neither comments nor empty lines")->excludes(all);
  commands.complete(
      app.add_option("type", options.name, "Interface, such as std_msgs/msg/Header; '-' reads it from standard input")
          ->required(),
      interface_names);
}

int show(InterfaceOptions & options) {
  if (options.name == "-") {
    if (isatty(STDIN_FILENO) != 0) {
      throw CommandError(
          "'-' reads the interface from a pipe, as in: ros2 topic type /chatter | ros2 interface show -");
    }
    options.name.clear();
    std::getline(std::cin, options.name);
  }
  const Comments outer_or_all = options.all_comments ? Comments::kAll : Comments::kOuter;
  print(interface_text(options.name, options.no_comments ? Comments::kNone : outer_or_all));
  return 0;
}

void declare_proto(Commands & commands, CLI::App & app, InterfaceOptions & options) {
  commands.complete(app.add_option("type", options.name, "Interface, such as std_msgs/msg/Header")->required(),
                    interface_names);
  app.add_flag("--no-quotes", options.no_quotes, "Print it without quotes around");
}

int proto(InterfaceOptions & options) {
  Message message(sent_type(options.name));
  const std::string yaml = tandem::to_yaml(message.type(), message.get());
  print(options.no_quotes ? yaml + '\n' : '"' + yaml + "\"\n");
  return 0;
}

}  // namespace

void add_interface(Commands & commands) {
  CLI::App & interface = commands.group("interface", "Show messages, services and actions");
  commands.verb<InterfaceOptions>(interface, "list", "List all interfaces", declare_kinds, list);
  commands.verb<InterfaceOptions>(interface, "package", "List the interfaces of a package", declare_package, package);
  commands.verb<InterfaceOptions>(interface, "packages", "List the packages that have interfaces", declare_kinds,
                                  packages);
  commands.verb<InterfaceOptions>(interface, "show", "Print the definition of an interface", declare_show, show);
  commands.verb<InterfaceOptions>(interface, "proto", "Print an interface with default values, as `topic pub` takes it",
                                  declare_proto, proto);
}

}  // namespace ros2cli
