#include "tandem/tools/graph.hpp"

#include <algorithm>

#include "tandem/service.hpp"

namespace tandem::tools {
namespace {

using Endpoints = std::vector<transport::EndpointInfo>;

/// Ends of both channels of a service, of its servers or of its clients.
struct Halves {
  Endpoints requests;
  Endpoints replies;
};

/// A node has as many of one channel as of the other, listed in the order in which they were made.
std::vector<ServiceEnd> pair(const Halves & halves) {
  std::vector<ServiceEnd> ends;
  Endpoints replies = halves.replies;
  for (const transport::EndpointInfo & request : halves.requests) {
    const auto reply = std::find_if(replies.begin(), replies.end(), [&](const transport::EndpointInfo & each) {
      return full_name(each.node) == full_name(request.node);
    });
    if (reply != replies.end()) {
      ends.push_back({request, *reply});
      replies.erase(reply);
    }
  }
  return ends;
}

/// "std_srvs/srv/SetBool" for the types of its request and its reply.
std::string type_of_service(const transport::EndpointInfo & endpoint) {
  return transport::service_type_of(endpoint.type_name).value_or(endpoint.type_name);
}

}  // namespace

std::map<std::string, Topic> topics_of(const transport::GraphSnapshot & graph, bool with_hidden) {
  std::map<std::string, Topic> topics;
  for (const transport::EndpointInfo & endpoint : graph.endpoints) {
    if (transport::channel_of(endpoint.topic) == transport::Channel::kTopic &&
        (with_hidden || !is_hidden(endpoint.topic))) {
      Topic & topic = topics[endpoint.topic];
      topic.types.insert(endpoint.type_name);
      auto & ends = endpoint.kind == transport::EndpointKind::kPublisher ? topic.publishers : topic.subscriptions;
      ends.push_back(endpoint);
    }
  }
  return topics;
}

std::string ServiceEnd::type() const { return type_of_service(request); }

std::map<std::string, Service> services_of(const transport::GraphSnapshot & graph, bool with_hidden) {
  struct Found {
    std::set<std::string> types;
    Halves servers;
    Halves clients;
  };
  std::map<std::string, Found> found;
  for (const transport::EndpointInfo & endpoint : graph.endpoints) {
    const auto name = transport::service_of(endpoint.topic);
    if (!name || (!with_hidden && is_hidden(*name))) {
      continue;
    }
    Found & service = found[*name];
    service.types.insert(type_of_service(endpoint));
    const bool is_request = transport::channel_of(endpoint.topic) == transport::Channel::kRequest;
    const bool is_publisher = endpoint.kind == transport::EndpointKind::kPublisher;
    Halves & halves = is_request == is_publisher ? service.clients : service.servers;
    (is_request ? halves.requests : halves.replies).push_back(endpoint);
  }
  std::map<std::string, Service> services;
  for (const auto & [name, each] : found) {
    services[name] = {each.types, pair(each.servers), pair(each.clients)};
  }
  return services;
}

std::vector<std::string> nodes_of(const transport::GraphSnapshot & graph, bool with_hidden) {
  std::vector<std::string> names;
  for (const transport::NodeName & node : graph.nodes) {
    if (with_hidden || !is_hidden(node.name)) {
      names.push_back(full_name(node));
    }
  }
  std::sort(names.begin(), names.end());
  return names;
}

std::string full_name(const transport::NodeName & node) {
  return node.name_space + (node.name_space.ends_with('/') ? "" : "/") + node.name;
}

bool is_hidden(const std::string & name) { return name.starts_with('_') || name.find("/_") != std::string::npos; }

}  // namespace tandem::tools
