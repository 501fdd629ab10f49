#include "component/containers.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <fstream>

#include "graph/graph.hpp"
#include "installed/ament_index.hpp"
#include "terminal/errors.hpp"

namespace ros2cli {
namespace {

constexpr const char * kIndex = "rclcpp_components";

/// The visible nodes that serve "<node>/_container/<name>" of this type.
std::set<std::string> servers_of(const std::map<std::string, Service> & services, const std::string & name,
                                 const std::string & type) {
  std::set<std::string> nodes;
  for (const auto & [service, entry] : services) {
    for (const ServiceEnd & server : entry.servers) {
      const std::string node = full_name(server.request.node);
      if (service == node + "/_container/" + name && server.type() == type && !is_hidden(server.request.node.name)) {
        nodes.insert(node);
      }
    }
  }
  return nodes;
}

}  // namespace

std::vector<std::string> containers_of(const transport::GraphSnapshot & graph) {
  const auto services = services_of(graph, true);
  const auto unloading = servers_of(services, "unload_node", "composition_interfaces/srv/UnloadNode");
  const auto listing_nodes = servers_of(services, "list_nodes", "composition_interfaces/srv/ListNodes");
  std::vector<std::string> found;
  for (const std::string & node : servers_of(services, "load_node", "composition_interfaces/srv/LoadNode")) {
    if (unloading.count(node) != 0 && listing_nodes.count(node) != 0) {
      found.push_back(node);
    }
  }
  return found;
}

std::string find_container(const Session & session, const std::string & typed) {
  const std::string name = node_name(typed);
  const std::vector<std::string> existing = containers_of(session.graph());
  if (!std::binary_search(existing.begin(), existing.end(), name)) {
    throw CommandError(fmt::format("Unable to find container node '{}'{}", name,
                                   existing.empty() ? "" : "\nThese exist: " + listing(existing)));
  }
  return name;
}

ServiceQuestion question_to(const std::string & container, const std::string & service, transport::NodeName self) {
  return {std::move(self), container, "_container/" + service,
          fmt::format("No '{}' service found for '{}' container", service, container)};
}

std::vector<std::string> packages_with_components() { return names_of(resources(kIndex)); }

std::vector<std::string> component_types(const std::string & package) {
  const auto packages = resources(kIndex);
  const auto found = packages.find(package);
  std::vector<std::string> types;
  if (found != packages.end()) {
    std::ifstream file(resource_file(found->second, kIndex, package));
    for (std::string line; std::getline(file, line);) {
      types.push_back(line.substr(0, line.find(';')));
    }
  }
  return types;
}

std::vector<std::string> container_names(const std::vector<std::string> &) { return containers_of(Session().graph()); }

}  // namespace ros2cli
