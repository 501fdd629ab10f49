// ROS's rules for names. https://design.ros2.org/articles/topic_and_service_names.html
#ifndef RCLCPP__DETAIL__NAMES_HPP_
#define RCLCPP__DETAIL__NAMES_HPP_

#include <cstddef>
#include <optional>
#include <string>

#include "rclcpp/visibility_control.hpp"

namespace rclcpp::detail {

struct NameProblem {
  const char * message;  ///< a sentence about the rule
  std::size_t index;     ///< where it is broken
};

// Each returns what is wrong, or nothing.
RCLCPP_PUBLIC std::optional<NameProblem> check_node_name(const std::string & name);
RCLCPP_PUBLIC std::optional<NameProblem> check_namespace(const std::string & name_space);
/// A topic or service name as users write it: may be relative, with "~" and substitutions.
RCLCPP_PUBLIC std::optional<NameProblem> check_topic_name(const std::string & name);
RCLCPP_PUBLIC std::optional<NameProblem> check_full_topic_name(const std::string & name);

/// Throws what fits the kind of name.
void require_node_name(const std::string & name);
void require_namespace(const std::string & name_space);

struct NodePath {
  std::string name_space;  ///< "/" or "/a/b"
  std::string name;

  std::string full() const { return name_space == "/" ? "/" + name : name_space + "/" + name; }
};

/// \throws InvalidTopicNameError or InvalidServiceNameError.
std::string expand_name(const std::string & name, const NodePath & node, bool is_service = false);

}  // namespace rclcpp::detail

#endif  // RCLCPP__DETAIL__NAMES_HPP_
