// The graph as the commands show it: topics, services and actions with their ends, nodes by their full names, what is hidden.
#pragma once

#include <map>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "session.hpp"

namespace ros2cli {

struct Topic {
  std::set<std::string> types;
  std::vector<transport::EndpointInfo> publishers;
  std::vector<transport::EndpointInfo> subscriptions;
};

/// Topics by name. Hidden are those of which a part begins with an underscore. The channels of services are no topics.
std::map<std::string, Topic> topics_of(const transport::GraphSnapshot & graph, bool with_hidden);

/// A server or a client, which has one end of each channel.
struct ServiceEnd {
  transport::EndpointInfo request;  ///< a client's publisher, a server's subscription
  transport::EndpointInfo reply;    ///< a client's subscription, a server's publisher
  std::string type() const;         ///< such as "std_srvs/srv/SetBool"
};

struct Service {
  std::set<std::string> types;
  std::vector<ServiceEnd> servers;
  std::vector<ServiceEnd> clients;
};

/// The same for services. A server or a client that has only one end yet is not among the ends.
std::map<std::string, Service> services_of(const transport::GraphSnapshot & graph, bool with_hidden);

struct Action {
  std::set<std::string> types;
  // Nodes that have an end of it, by full name, in the order of the graph, each with its type.
  std::vector<std::pair<std::string, std::string>> clients;
  std::vector<std::pair<std::string, std::string>> servers;
};

/// Actions by name: those that have a topic of feedback.
std::map<std::string, Action> actions_of(const transport::GraphSnapshot & graph);

/// "/a/b" of namespace "/a" and name "b".
std::string full_name(const transport::NodeName & node);

/// Full names of the nodes, sorted, each as often as it is there. Hidden are those whose names begin with an underscore.
std::vector<std::string> nodes_of(const transport::GraphSnapshot & graph, bool with_hidden);

/// Whether a part of the name begins with an underscore.
bool is_hidden(const std::string & name);

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
