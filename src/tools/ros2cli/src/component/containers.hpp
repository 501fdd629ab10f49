// Containers in the graph, and the components that are installed.
#pragma once

#include <string>
#include <vector>

#include "composition_interfaces/srv/list_nodes.hpp"
#include "composition_interfaces/srv/load_node.hpp"
#include "composition_interfaces/srv/unload_node.hpp"
#include "graph/service_question.hpp"

namespace ros2cli {

using composition_interfaces::srv::ListNodes;
using composition_interfaces::srv::LoadNode;
using composition_interfaces::srv::UnloadNode;

/// Full names of the nodes that serve what a container serves, sorted.
std::vector<std::string> containers_of(const transport::GraphSnapshot & graph);

/// The container of this name. \throws CommandError, with what exists, if there is none.
std::string find_container(const Session & session, const std::string & typed);

/// To its service "load_node" and the like. `self` is who asks.
ServiceQuestion question_to(const std::string & container, const std::string & service, transport::NodeName self);

/// The packages in the index of components, sorted.
std::vector<std::string> packages_with_components();

/// The classes of the components of a package, as it names them; none for a package without.
std::vector<std::string> component_types(const std::string & package);

/// Completer.
std::vector<std::string> container_names(const std::vector<std::string> & before);

}  // namespace ros2cli
