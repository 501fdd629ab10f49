// The graph as the commands show it: topics, services and actions with their ends, nodes by their full names, what is hidden.
#pragma once

#include <map>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "graph/session.hpp"
#include "tandem/tools/graph.hpp"

namespace ros2cli {

using tandem::tools::full_name;
using tandem::tools::is_hidden;
using tandem::tools::nodes_of;
using tandem::tools::Service;
using tandem::tools::ServiceEnd;
using tandem::tools::services_of;
using tandem::tools::Topic;
using tandem::tools::topics_of;

struct Action {
  std::set<std::string> types;
  // Nodes that have an end of it, by full name, in the order of the graph, each with its type.
  std::vector<std::pair<std::string, std::string>> clients;
  std::vector<std::pair<std::string, std::string>> servers;
};

/// Actions by name: those that have a topic of feedback.
std::map<std::string, Action> actions_of(const transport::GraphSnapshot & graph);

/// The fully qualified name of a topic: "chatter" is "/chatter". \throws CommandError if it is no name of a topic.
std::string topic_name(const std::string & typed);
/// The same of a service and of an action.
std::string service_name(const std::string & typed);
std::string action_name(const std::string & typed);

/// The same of a node, which is not checked.
std::string node_name(const std::string & typed);

/// Completers.
std::vector<std::string> topic_names(const std::vector<std::string> & before);
std::vector<std::string> node_names(const std::vector<std::string> & before);
std::vector<std::string> topic_types(const std::vector<std::string> & before);
std::vector<std::string> service_names(const std::vector<std::string> & before);
std::vector<std::string> service_types(const std::vector<std::string> & before);
std::vector<std::string> action_names(const std::vector<std::string> & before);
std::vector<std::string> action_types(const std::vector<std::string> & before);

}  // namespace ros2cli
