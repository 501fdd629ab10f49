#include "graph.hpp"

#include <algorithm>
#include <cctype>
#include <string_view>

#include "ament_index.hpp"
#include "errors.hpp"
#include "tandem/service.hpp"

namespace ros2cli {
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

std::string qualified(const std::string & typed, std::string_view kind) {
  const std::string name = typed.starts_with('/') ? typed : "/" + typed;
  const auto refuse = [&](const std::string & reason) {
    throw CommandError("'" + typed + "' is not the name of a " + std::string(kind) + ": " + reason);
  };
  if (name.size() > 1 && name.back() == '/') {
    refuse("it ends with '/'");
  }
  for (std::size_t i = 1; i <= name.size(); ++i) {
    const char c = i < name.size() ? name[i] : '/';
    const bool starts_part = name[i - 1] == '/';
    if (c == '/' ? starts_part : std::isalnum(static_cast<unsigned char>(c)) == 0 && c != '_') {
      refuse(c == '/' ? "a part of it is empty" : std::string("'") + c + "' is no letter, digit, '_' or '/'");
    }
    if (starts_part && std::isdigit(static_cast<unsigned char>(c)) != 0) {
      refuse("a part of it begins with a digit");
    }
  }
  return name;
}

/// All types of a map of topics, services or actions.
template <class Map>
std::vector<std::string> types_in(const Map & map) {
  std::set<std::string> types;
  for (const auto & [name, entry] : map) {
    types.insert(entry.types.begin(), entry.types.end());
  }
  return {types.begin(), types.end()};
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

std::map<std::string, Action> actions_of(const transport::GraphSnapshot & graph) {
  constexpr std::string_view kFeedback = "/_action/feedback";
  constexpr std::string_view kMessage = "_FeedbackMessage";
  const auto without = [](const std::string & text, std::string_view suffix) {
    return text.ends_with(suffix) ? text.substr(0, text.size() - suffix.size()) : text;
  };
  std::map<std::string, Action> actions;
  for (const auto & [name, topic] : topics_of(graph, true)) {
    if (!name.ends_with(kFeedback)) {
      continue;
    }
    Action & action = actions[without(name, kFeedback)];
    for (const std::string & type : topic.types) {
      action.types.insert(without(type, kMessage));
    }
    for (const transport::EndpointInfo & end : topic.subscriptions) {
      action.clients.emplace_back(full_name(end.node), without(end.type_name, kMessage));
    }
    for (const transport::EndpointInfo & end : topic.publishers) {
      action.servers.emplace_back(full_name(end.node), without(end.type_name, kMessage));
    }
  }
  return actions;
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

std::string topic_name(const std::string & typed) { return qualified(typed, "topic"); }

std::string service_name(const std::string & typed) { return qualified(typed, "service"); }

std::string action_name(const std::string & typed) { return qualified(typed, "action"); }

std::string node_name(const std::string & typed) { return typed.starts_with('/') ? typed : "/" + typed; }

std::vector<std::string> topic_names(const std::vector<std::string> &) {
  return names_of(topics_of(Session().graph(), false));
}

std::vector<std::string> node_names(const std::vector<std::string> &) { return nodes_of(Session().graph(), false); }

std::vector<std::string> topic_types(const std::vector<std::string> &) {
  return types_in(topics_of(Session().graph(), true));
}

std::vector<std::string> service_names(const std::vector<std::string> &) {
  return names_of(services_of(Session().graph(), false));
}

std::vector<std::string> service_types(const std::vector<std::string> &) {
  return types_in(services_of(Session().graph(), true));
}

std::vector<std::string> action_names(const std::vector<std::string> &) {
  return names_of(actions_of(Session().graph()));
}

std::vector<std::string> action_types(const std::vector<std::string> &) {
  return types_in(actions_of(Session().graph()));
}

}  // namespace ros2cli
