#include "graph.hpp"

#include <cctype>

#include "errors.hpp"

namespace ros2cli {

std::map<std::string, Topic> topics_of(const transport::GraphSnapshot & graph, bool with_hidden) {
  std::map<std::string, Topic> topics;
  for (const transport::EndpointInfo & endpoint : graph.endpoints) {
    if (with_hidden || !is_hidden(endpoint.topic)) {
      Topic & topic = topics[endpoint.topic];
      topic.types.insert(endpoint.type_name);
      auto & ends = endpoint.kind == transport::EndpointKind::kPublisher ? topic.publishers : topic.subscriptions;
      ends.push_back(endpoint);
    }
  }
  return topics;
}

std::string full_name(const transport::NodeName & node) {
  return node.name_space + (node.name_space.ends_with('/') ? "" : "/") + node.name;
}

bool is_hidden(const std::string & name) { return name.starts_with('_') || name.find("/_") != std::string::npos; }

std::string topic_name(const std::string & typed) {
  const std::string name = typed.starts_with('/') ? typed : "/" + typed;
  const auto refuse = [&](const std::string & reason) {
    throw CommandError("'" + typed + "' is not the name of a topic: " + reason);
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

std::vector<std::string> topic_names(const std::vector<std::string> &) {
  std::vector<std::string> names;
  for (const auto & [name, topic] : topics_of(Session().graph(), false)) {
    names.push_back(name);
  }
  return names;
}

std::vector<std::string> node_names(const std::vector<std::string> &) {
  std::vector<std::string> names;
  for (const transport::NodeName & node : Session().graph().nodes) {
    if (!is_hidden(node.name)) {
      names.push_back(full_name(node));
    }
  }
  return names;
}

std::vector<std::string> topic_types(const std::vector<std::string> &) {
  std::set<std::string> types;
  for (const transport::EndpointInfo & endpoint : Session().graph().endpoints) {
    types.insert(endpoint.type_name);
  }
  return {types.begin(), types.end()};
}

}  // namespace ros2cli
