// Parsing --ros-args, and looking names up in its rules.
#include "context/arguments.hpp"

#include <algorithm>
#include <cctype>
#include <tuple>

#include "rclcpp/exceptions.hpp"
#include "rclcpp/logging.hpp"

namespace rclcpp::detail {
namespace {

[[noreturn]] void refuse(const std::string & message) { throw exceptions::RCLInvalidROSArgsError(message); }

std::pair<std::string, std::string> split_assignment(const std::string & option, const std::string & text) {
  const std::size_t at = text.find(":=");
  if (at == std::string::npos || at == 0) {
    refuse("Couldn't parse '" + text + "' behind " + option + ": it must have the form name:=value");
  }
  return {text.substr(0, at), text.substr(at + 2)};
}

RemapRule parse_remap(const std::string & option, const std::string & text) {
  std::string from, to;
  std::tie(from, to) = split_assignment(option, text);
  if (to.empty()) refuse("Couldn't parse remap rule '" + option + " " + text + "': nothing stands after ':='");
  RemapRule rule;
  rule.to = to;
  const auto drop_prefix = [&from](const std::string & prefix) {
    if (from.rfind(prefix, 0) != 0) return false;
    from.erase(0, prefix.size());
    return true;
  };
  if (drop_prefix("rostopic://")) {
    rule.kind = RemapRule::Kind::kTopic;
  } else if (drop_prefix("rosservice://")) {
    rule.kind = RemapRule::Kind::kService;
  }
  if (const std::size_t colon = from.find(':'); colon != std::string::npos) {
    rule.node = from.substr(0, colon);
    from.erase(0, colon + 1);
    if (auto p = check_node_name(rule.node))
      refuse("Couldn't parse remap rule '" + option + " " + text + "': " + p->message);
  }
  rule.from = from;
  if (from == "__node" || from == "__name") {
    rule.kind = RemapRule::Kind::kNodeName;
    if (auto p = check_node_name(to)) refuse("Couldn't parse remap rule '" + option + " " + text + "': " + p->message);
  } else if (from == "__ns") {
    rule.kind = RemapRule::Kind::kNamespace;
    if (auto p = check_namespace(to)) refuse("Couldn't parse remap rule '" + option + " " + text + "': " + p->message);
  } else {
    for (const auto & name : {from, to}) {
      if (auto p = check_topic_name(name)) {
        refuse("Couldn't parse remap rule '" + option + " " + text + "': '" + name + "' " + p->message);
      }
    }
  }
  return rule;
}

Logger::Level parse_level(const std::string & text) {
  std::string lower(text);
  std::transform(lower.begin(), lower.end(), lower.begin(), [](unsigned char c) { return std::tolower(c); });
  if (lower == "debug") return Logger::Level::Debug;
  if (lower == "info") return Logger::Level::Info;
  if (lower == "warn") return Logger::Level::Warn;
  if (lower == "error") return Logger::Level::Error;
  if (lower == "fatal") return Logger::Level::Fatal;
  if (lower == "unset") return Logger::Level::Unset;
  refuse("Couldn't parse log level '" + text + "': it is one of debug, info, warn, error, fatal");
}

void parse_log_level(const std::string & text, Arguments & result) {
  if (const std::size_t at = text.find(":="); at != std::string::npos) {
    result.logger_levels.emplace_back(text.substr(0, at), parse_level(text.substr(at + 2)));
  } else {
    result.default_level = parse_level(text);
  }
}

void parse_parameter(const std::string & option, const std::string & text, Arguments & result) {
  try {
    result.parameters.push_back(parse_parameter_assignment(text));
  } catch (const exceptions::InvalidParametersException & error) {
    refuse("Couldn't parse parameter override rule '" + option + " " + text + "': " + error.what());
  }
}

void parse_parameter_file(const std::string & option, const std::string & path, Arguments & result) {
  try {
    read_parameter_file(path, result.parameters);
  } catch (const exceptions::InvalidParametersException & error) {
    refuse("Couldn't parse params file '" + option + " " + path + "': " + error.what());
  }
}

bool is_flag_without_value(const std::string & argument, Arguments & result) {
  for (const char * logs : {"rosout-logs", "stdout-logs", "external-lib-logs"}) {
    const bool enable = argument == std::string("--enable-") + logs;
    if (!enable && argument != std::string("--disable-") + logs) continue;
    if (std::string(logs) == "stdout-logs") result.console_logs = enable;
    if (std::string(logs) == "rosout-logs") result.rosout_logs = enable;
    return true;
  }
  return false;
}

/// An option with its value; false when it is unknown.
bool parse_option(const std::string & option, const std::string & value, Arguments & result) {
  if (option == "-r" || option == "--remap") {
    result.remaps.push_back(parse_remap(option, value));
  } else if (option == "--log-level") {
    parse_log_level(value, result);
  } else if (option == "-p" || option == "--param") {
    parse_parameter(option, value, result);
  } else if (option == "--params-file") {
    parse_parameter_file(option, value, result);
  } else if (option == "-e" || option == "--enclave") {
    if (auto p = check_namespace(value)) refuse("Couldn't parse enclave '" + option + " " + value + "': " + p->message);
    result.enclave = value;
  } else {
    // An external logger's configuration has nothing here to configure.
    return option == "--log-config-file";
  }
  return true;
}

bool takes_value(const std::string & option) {
  for (const char * known :
       {"-r", "--remap", "--log-level", "-p", "--param", "--params-file", "-e", "--enclave", "--log-config-file"}) {
    if (option == known) return true;
  }
  return false;
}

/// A remap rule that does not stand behind --ros-args, as old launch files write them. What is none is for the program.
bool parse_bare_remap(const std::string & argument, Arguments & result) {
  if (argument.find(":=") == std::string::npos) return false;
  try {
    result.remaps.push_back(parse_remap("--remap", argument));
  } catch (const exceptions::RCLInvalidROSArgsError &) {
    return false;
  }
  RCLCPP_WARN(get_logger("rcl"),
              "the remap rule '%s' stands by itself, which is deprecated: write '--ros-args --remap %s' instead",
              argument.c_str(), argument.c_str());
  return true;
}

bool fits(const RemapRule & rule, RemapRule::Kind kind, const std::string & node_name) {
  return rule.kind == kind && (rule.node.empty() || rule.node == node_name);
}

template <class Predicate>
const RemapRule * find_rule(const Arguments * local, const Arguments * global, Predicate && predicate) {
  for (const Arguments * arguments : {local, global}) {
    if (!arguments) continue;
    for (const auto & rule : arguments->remaps) {
      if (predicate(rule)) return &rule;
    }
  }
  return nullptr;
}

}  // namespace

Arguments parse_arguments(const std::vector<std::string> & arguments) {
  Arguments result;
  std::vector<std::string> unknown;
  bool in_ros_args = false;
  for (std::size_t i = 0; i < arguments.size(); ++i) {
    const std::string & argument = arguments[i];
    if (!in_ros_args) {
      in_ros_args = argument == "--ros-args";
      if (!in_ros_args && !parse_bare_remap(argument, result)) result.plain.push_back(argument);
    } else if (argument == "--") {
      in_ros_args = false;
    } else if (argument == "--ros-args" || is_flag_without_value(argument, result)) {
      continue;
    } else if (takes_value(argument)) {
      if (i + 1 == arguments.size()) refuse("Couldn't parse trailing " + argument + " flag: its value is missing");
      parse_option(argument, arguments[++i], result);
    } else if (const std::size_t equals = argument.find('=');  // --log-level=debug
               argument.rfind("--", 0) == 0 && equals != std::string::npos && argument[equals - 1] != ':' &&
               takes_value(argument.substr(0, equals))) {
      parse_option(argument.substr(0, equals), argument.substr(equals + 1), result);
    } else {
      unknown.push_back(argument);
    }
  }
  if (!unknown.empty()) throw exceptions::UnknownROSArgsError(std::move(unknown));
  return result;
}

std::optional<std::string> remap_node_name(const Arguments * local, const Arguments * global,
                                           const std::string & name) {
  const auto * rule =
      find_rule(local, global, [&](const RemapRule & r) { return fits(r, RemapRule::Kind::kNodeName, name); });
  return rule ? std::optional(rule->to) : std::nullopt;
}

std::optional<std::string> remap_namespace(const Arguments * local, const Arguments * global,
                                           const std::string & name) {
  const auto * rule =
      find_rule(local, global, [&](const RemapRule & r) { return fits(r, RemapRule::Kind::kNamespace, name); });
  return rule ? std::optional(rule->to) : std::nullopt;
}

std::string remap_name(const Arguments * local, const Arguments * global, const std::string & name,
                       const NodePath & node, bool is_service) {
  const auto kind = is_service ? RemapRule::Kind::kService : RemapRule::Kind::kTopic;
  const auto * rule = find_rule(local, global, [&](const RemapRule & r) {
    return (fits(r, kind, node.name) || fits(r, RemapRule::Kind::kTopicOrService, node.name)) &&
           expand_name(r.from, node, is_service) == name;
  });
  return rule ? expand_name(rule->to, node, is_service) : name;
}

}  // namespace rclcpp::detail
