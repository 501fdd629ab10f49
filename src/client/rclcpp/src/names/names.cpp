// Checks and expansion of names.
#include "rclcpp/detail/names.hpp"

#include "rclcpp/exceptions.hpp"
#include "rclcpp/expand_topic_or_service_name.hpp"

namespace rclcpp {
namespace detail {
namespace {

constexpr std::size_t kMaxNodeNameLength = 255;
constexpr std::size_t kMaxTopicNameLength = 247;

bool is_digit(char c) { return c >= '0' && c <= '9'; }
bool is_word(char c) { return is_digit(c) || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_'; }

/// What absolute names have in common.
std::optional<NameProblem> check_tokens(const std::string & name) {
  for (std::size_t i = 0; i < name.size(); ++i) {
    if (name[i] != '/' && !is_word(name[i])) {
      return NameProblem{"must not contain characters other than alphanumerics, '_', or '/'", i};
    }
    if (i == 0 || name[i - 1] != '/') continue;
    if (name[i] == '/') return NameProblem{"must not contain repeated '/'", i};
    if (is_digit(name[i])) return NameProblem{"token must not start with a number", i};
  }
  return std::nullopt;
}

/// "{node}" and the like, from `open` to the matching brace.
std::optional<NameProblem> check_substitution(const std::string & name, std::size_t open, std::size_t close) {
  for (std::size_t i = open + 1; i < close; ++i) {
    if (!is_word(name[i])) {
      return NameProblem{"substitution name must not contain characters other than alphanumerics or '_'", i};
    }
    if (i == open + 1 && is_digit(name[i])) return NameProblem{"substitution name must not start with a number", i};
  }
  return std::nullopt;
}

}  // namespace

std::optional<NameProblem> check_node_name(const std::string & name) {
  if (name.empty()) return NameProblem{"node name must not be empty", 0};
  for (std::size_t i = 0; i < name.size(); ++i) {
    if (!is_word(name[i]))
      return NameProblem{"node name must not contain characters other than alphanumerics or '_'", i};
  }
  if (is_digit(name[0])) return NameProblem{"node name must not start with a number", 0};
  if (name.size() > kMaxNodeNameLength) return NameProblem{"node name must not be longer than 255", kMaxNodeNameLength};
  return std::nullopt;
}

std::optional<NameProblem> check_namespace(const std::string & name_space) {
  if (name_space.empty()) return NameProblem{"namespace must not be empty", 0};
  if (name_space[0] != '/') return NameProblem{"namespace must be absolute, it must lead with a '/'", 0};
  if (name_space == "/") return std::nullopt;
  if (name_space.back() == '/') {
    return NameProblem{"namespace must not end with a '/', unless only a '/'", name_space.size() - 1};
  }
  if (auto problem = check_tokens(name_space)) return problem;
  if (name_space.size() > kMaxTopicNameLength - 2) {
    return NameProblem{"namespace should not exceed '245' characters", kMaxTopicNameLength - 2};
  }
  return std::nullopt;
}

std::optional<NameProblem> check_topic_name(const std::string & name) {
  if (name.empty()) return NameProblem{"must not be empty", 0};
  if (name.back() == '/') return NameProblem{"must not end with a forward slash", name.size() - 1};
  for (std::size_t i = 0; i < name.size(); ++i) {
    const char c = name[i];
    if (c == '{') {
      const std::size_t close = name.find('}', i);
      if (close == std::string::npos) return NameProblem{"must not have unmatched curly braces", i};
      if (auto problem = check_substitution(name, i, close)) return problem;
      i = close;
    } else if (c == '}') {
      return NameProblem{"must not have unmatched curly braces", i};
    } else if (c == '~') {
      if (i != 0) return NameProblem{"tilde (~) must only be the first character", i};
      if (name.size() > 1 && name[1] != '/')
        return NameProblem{"must have a forward slash after a leading tilde (~)", 1};
    } else if (c != '/' && !is_word(c)) {
      return NameProblem{"must not contain characters other than alphanumerics, '_', '~', '{', or '}'", i};
    } else if (is_digit(c) && (i == 0 || name[i - 1] == '/')) {
      return NameProblem{"token must not start with a number", i};
    }
  }
  return std::nullopt;
}

std::optional<NameProblem> check_full_topic_name(const std::string & name) {
  if (name.empty() || name[0] != '/') return NameProblem{"must be absolute, it must lead with a '/'", 0};
  if (name.back() == '/') return NameProblem{"must not end with a forward slash", name.size() - 1};
  if (auto problem = check_tokens(name)) return problem;
  if (name.size() > kMaxTopicNameLength) {
    return NameProblem{"should not exceed '247' characters", kMaxTopicNameLength};
  }
  return std::nullopt;
}

void require_node_name(const std::string & name) {
  if (auto p = check_node_name(name)) throw exceptions::InvalidNodeNameError(name.c_str(), p->message, p->index);
}

void require_namespace(const std::string & name_space) {
  if (auto p = check_namespace(name_space)) {
    throw exceptions::InvalidNamespaceError(name_space.c_str(), p->message, p->index);
  }
}

std::string expand_name(const std::string & name, const NodePath & node, bool is_service) {
  const auto refuse = [is_service](const std::string & bad, const NameProblem & problem) {
    const std::string message = std::string(is_service ? "service name " : "topic name ") + problem.message;
    if (is_service) throw exceptions::InvalidServiceNameError(bad.c_str(), message.c_str(), problem.index);
    throw exceptions::InvalidTopicNameError(bad.c_str(), message.c_str(), problem.index);
  };
  if (auto problem = check_topic_name(name)) refuse(name, *problem);

  std::string expanded = name[0] == '~' ? node.full() + name.substr(1) : name;
  for (std::size_t open; (open = expanded.find('{')) != std::string::npos;) {
    const std::size_t close = expanded.find('}', open);
    const std::string key = expanded.substr(open + 1, close - open - 1);
    std::string value;
    if (key == "node") {
      value = node.name;
    } else if (key == "ns" || key == "namespace") {
      value = node.name_space;
    } else {
      refuse(name, {"has an unknown substitution; there are {node}, {ns} and {namespace}", name.find('{')});
    }
    expanded.replace(open, close - open + 1, value);
  }
  if (expanded[0] != '/') expanded = (node.name_space == "/" ? "/" : node.name_space + "/") + expanded;
  if (auto problem = check_full_topic_name(expanded)) refuse(expanded, *problem);
  return expanded;
}

}  // namespace detail

std::string expand_topic_or_service_name(const std::string & name, const std::string & node_name,
                                         const std::string & namespace_, bool is_service) {
  detail::require_node_name(node_name);
  detail::require_namespace(namespace_);
  return detail::expand_name(name, {namespace_, node_name}, is_service);
}

}  // namespace rclcpp
