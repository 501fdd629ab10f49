// `ros2 service list`, `type` and `find`: which services there are.
#include "command/verbs.hpp"
#include "graph/graph.hpp"
#include "graph/list_options.hpp"
#include "terminal/json.hpp"

namespace ros2cli {
namespace {

using Services = std::map<std::string, Service>;

void declare_list(Commands &, CLI::App & app, ListOptions & options) {
  declare_common(app, options, "services");
  declare_types(app, options);
  declare_count(app, options, "services");
  app.add_flag("--json", options.json, "Print JSON: an array of services with types and numbers");
}

int list(ListOptions & options) {
  const Services services = services_of(Session(options.session).graph(), with_hidden(options));
  if (!options.json) {
    print_list(options, types_by_name(services));
    return 0;
  }
  Json all = Json::array();
  for (const auto & [name, service] : services) {
    all.push_back({{"name", name},
                   {"types", service.types},
                   {"clients", service.clients.size()},
                   {"servers", service.servers.size()}});
  }
  print_json(all);
  return 0;
}

void declare_type(Commands & commands, CLI::App & app, ListOptions & options) {
  declare_common(app, options, "services");
  commands.complete(
      app.add_option("service_name", options.name, "Name of the service, such as /add_two_ints")->required(),
      service_names);
}

int type(ListOptions & options) {
  print_types("service", service_name(options.name),
              types_by_name(services_of(Session(options.session).graph(), true)));
  return 0;
}

void declare_find(Commands & commands, CLI::App & app, ListOptions & options) {
  declare_common(app, options, "services");
  commands.complete(app.add_option("service_type", options.name, "Type, such as std_srvs/srv/SetBool")->required(),
                    service_types);
  declare_count(app, options, "services");
}

int find(ListOptions & options) {
  print_found(options, types_by_name(services_of(Session(options.session).graph(), with_hidden(options))));
  return 0;
}

}  // namespace

void add_service_list(Commands & commands, CLI::App & service) {
  commands.verb<ListOptions>(service, "list", "List the services", declare_list, list);
  commands.verb<ListOptions>(service, "type", "Print the type of a service", declare_type, type);
  commands.verb<ListOptions>(service, "find", "List the services of a type", declare_find, find);
}

}  // namespace ros2cli
