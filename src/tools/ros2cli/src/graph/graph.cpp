#include "graph/graph.hpp"

#include <algorithm>
#include <cctype>
#include <string_view>

#include "installed/ament_index.hpp"
#include "terminal/errors.hpp"

namespace ros2cli {
namespace {

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
