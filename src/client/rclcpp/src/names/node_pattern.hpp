// Patterns for the fully qualified names of nodes, such as "/robot/**/camera".
//
// A token is what stands between slashes. In a pattern, the token "*" stands for any one token, and "**" for any number
// of tokens, also none.
#pragma once

#include <string>

namespace rclcpp::detail {

/// Checks a pattern, and puts a slash in front of a relative one. \throws exceptions::InvalidParametersException
std::string checked_node_pattern(const std::string & pattern);

/// Whether the fully qualified name of a node matches a checked pattern.
bool matches_node(const std::string & pattern, const std::string & node);

}  // namespace rclcpp::detail
