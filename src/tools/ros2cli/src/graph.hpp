// The graph as the commands show it: topics with their ends, nodes by their full names, what is hidden.
#pragma once

#include <map>
#include <set>
#include <string>
#include <vector>

#include "session.hpp"

namespace ros2cli {

struct Topic {
  std::set<std::string> types;
  std::vector<transport::EndpointInfo> publishers;
  std::vector<transport::EndpointInfo> subscriptions;
};

/// Topics by name. Hidden are those of which a part begins with an underscore.
std::map<std::string, Topic> topics_of(const transport::GraphSnapshot & graph, bool with_hidden);

/// "/a/b" of namespace "/a" and name "b".
std::string full_name(const transport::NodeName & node);

/// Whether a part of the name begins with an underscore.
bool is_hidden(const std::string & name);

/// The fully qualified name of a topic: "chatter" is "/chatter". \throws CommandError if it is no name of a topic.
std::string topic_name(const std::string & typed);

/// Completers.
std::vector<std::string> topic_names(const std::vector<std::string> & before);
std::vector<std::string> node_names(const std::vector<std::string> & before);
std::vector<std::string> topic_types(const std::vector<std::string> & before);

}  // namespace ros2cli
