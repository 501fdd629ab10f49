// `ros2 service info`: who serves and who calls.
#include <fmt/format.h>

#include "command/verbs.hpp"
#include "graph/endpoint_text.hpp"
#include "graph/graph.hpp"
#include "installed/ament_index.hpp"
#include "terminal/errors.hpp"
#include "terminal/output.hpp"

namespace ros2cli {
namespace {

struct InfoOptions {
  SessionOptions session;
  std::string service;
  bool verbose = false;
  bool json = false;
};

enum class Role { kClient, kServer };

/// As ROS 2 prints the end of a service: its publisher is a writer, its subscription a reader.
std::string describe(const ServiceEnd & end, Role role) {
  const bool is_client = role == Role::kClient;
  const std::string request = is_client ? "Request Writer" : "Request Reader";
  const std::string reply = is_client ? "Response Reader" : "Response Writer";
  const transport::EndpointInfo & info = end.request;
  return fmt::format(
      "Node name: {}\nNode namespace: {}\nService type: {}\nService type hash: {}\nEndpoint type: {}\n"
      "Endpoint count: 2\nGIDs:\n - {} : {}\n - {} : {}\nQoS profiles:\n - {} :\n{} - {} :\n{}",
      info.node.name, info.node.name_space, end.type(), info.type_hash, is_client ? "CLIENT" : "SERVER", request,
      gid_text(info.gid), reply, gid_text(end.reply.gid), request, qos_text(info.qos, "      "), reply,
      qos_text(end.reply.qos, "      "));
}

std::string describe(const std::vector<ServiceEnd> & ends, Role role, bool verbose) {
  std::string text = fmt::format("{} count: {}\n", role == Role::kClient ? "Clients" : "Services", ends.size());
  if (verbose) {
    text += '\n';
    for (const ServiceEnd & end : ends) {
      text += describe(end, role) + '\n';
    }
  }
  return text;
}

Json ends_to_json(const std::vector<ServiceEnd> & ends) {
  Json all = Json::array();
  for (const ServiceEnd & end : ends) {
    all.push_back({{"request", endpoint_json(end.request)}, {"response", endpoint_json(end.reply)}});
  }
  return all;
}

void declare(Commands & commands, CLI::App & app, InfoOptions & options) {
  declare_session(app, options.session);
  commands.complete(
      app.add_option("service_name", options.service, "Name of the service, such as /add_two_ints")->required(),
      service_names);
  app.add_flag("-v,--verbose", options.verbose, "Show each client and server: node, type, hash, GIDs and QoS");
  app.add_flag("--json", options.json, "Print JSON: the service with all its clients and servers");
}

int info(InfoOptions & options) {
  const auto services = services_of(Session(options.session).graph(), true);
  const auto found = services.find(service_name(options.service));
  if (found == services.end()) {
    throw unknown("service", options.service, names_of(services));
  }
  const Service & service = found->second;
  if (options.json) {
    print_json({{"name", found->first},
                {"types", service.types},
                {"clients", ends_to_json(service.clients)},
                {"servers", ends_to_json(service.servers)}});
    return 0;
  }
  print(fmt::format("Type: {}\n", type_text(service.types)) +
        describe(service.clients, Role::kClient, options.verbose) +
        describe(service.servers, Role::kServer, options.verbose));
  return 0;
}

}  // namespace

void add_service_info(Commands & commands, CLI::App & service) {
  commands.verb<InfoOptions>(service, "info", "Show who serves and who calls a service", declare, info);
}

}  // namespace ros2cli
