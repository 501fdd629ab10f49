// What stands behind --ros-args.
#pragma once

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "parameters/parameter_rules.hpp"
#include "rclcpp/detail/names.hpp"
#include "rclcpp/logger.hpp"

namespace rclcpp::detail {

struct RemapRule {
  enum class Kind { kTopic, kNodeName, kNamespace, kService, kTopicOrService };
  Kind kind = Kind::kTopicOrService;
  std::string node;  ///< only for the node of this name; empty: for all
  std::string from;  ///< of topics and services
  std::string to;
};

struct Arguments {
  std::vector<RemapRule> remaps;  ///< the first that fits wins
  std::vector<std::pair<std::string, Logger::Level>> logger_levels;
  std::optional<Logger::Level> default_level;
  bool console_logs = true;
  bool rosout_logs = true;
  std::string enclave = "/";  ///< of a context; a node's arguments do not choose
  ParameterRules parameters;
  std::vector<std::string> plain;  ///< what is not behind --ros-args, the program's name included
};

/// Reads the parameter files that are named. \throws exceptions::UnknownROSArgsError, RCLInvalidROSArgsError.
Arguments parse_arguments(const std::vector<std::string> & arguments);

/// The first rule of this kind, for this node name, in each of the two in turn; either may be null.
std::optional<std::string> remap_node_name(const Arguments * local, const Arguments * global, const std::string & name);
std::optional<std::string> remap_namespace(const Arguments * local, const Arguments * global, const std::string & name);
/// Of a topic or a service; `name` is fully qualified.
/// \throws exceptions::InvalidTopicNameError, InvalidServiceNameError when a rule's names are bad.
std::string remap_name(const Arguments * local, const Arguments * global, const std::string & name,
                       const NodePath & node, bool is_service);

}  // namespace rclcpp::detail
