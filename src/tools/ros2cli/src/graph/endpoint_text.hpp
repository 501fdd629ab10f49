// Endpoints as `info` shows them, in the words of ROS 2.
#pragma once

#include <set>
#include <string>

#include "graph/session.hpp"
#include "terminal/json.hpp"

namespace ros2cli {

/// "01.0f.…"
std::string gid_text(const transport::Gid & gid);

/// A policy a line, each behind `indent`. Tandem has no deadlines, lifespans and leases, which is what infinite says.
std::string qos_text(const transport::Qos & qos, const std::string & indent);

/// Node, type, hash, GID and QoS.
Json endpoint_json(const transport::EndpointInfo & endpoint);

/// "std_msgs/msg/String", or "['a/msg/A', 'b/msg/B']" where the ends do not agree.
std::string type_text(const std::set<std::string> & types);

}  // namespace ros2cli
