// The graph by names: topics and services with their ends, nodes by their full names, what is hidden.
#pragma once

#include <map>
#include <set>
#include <string>
#include <vector>

#include "tandem/transport.hpp"

namespace tandem::tools {

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

/// "/a/b" of namespace "/a" and name "b".
std::string full_name(const transport::NodeName & node);

/// Full names of the nodes, sorted, each as often as it is there. Hidden are those whose names begin with an underscore.
std::vector<std::string> nodes_of(const transport::GraphSnapshot & graph, bool with_hidden);

/// Whether a part of the name begins with an underscore.
bool is_hidden(const std::string & name);

}  // namespace tandem::tools
