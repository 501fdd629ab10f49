#include "names/node_pattern.hpp"

#include <algorithm>
#include <cstddef>
#include <string_view>
#include <vector>

#include "rclcpp/detail/names.hpp"
#include "rclcpp/exceptions.hpp"

namespace rclcpp::detail {
namespace {

std::vector<std::string_view> tokens_of(std::string_view name) {
  std::vector<std::string_view> tokens;
  while (!name.empty()) {
    name.remove_prefix(1);  // the slash
    const std::size_t length = std::min(name.find('/'), name.size());
    tokens.push_back(name.substr(0, length));
    name.remove_prefix(length);
  }
  return tokens;
}

}  // namespace

std::string checked_node_pattern(const std::string & pattern) {
  const std::string full = pattern[0] == '/' ? pattern : "/" + pattern;
  const std::string refusal = "'" + pattern + "' is no name of a node: ";
  std::string plain = full;  // with "x" in the place of each wildcard
  for (std::size_t star; (star = plain.find('*')) != std::string::npos;) {
    const std::size_t end = std::min(plain.find('/', star), plain.size());
    const std::string token = plain.substr(star, end - star);
    if (plain[star - 1] != '/' || (token != "*" && token != "**")) {
      throw exceptions::InvalidParametersException(refusal + "'*' and '**' stand for tokens");
    }
    plain.replace(star, token.size(), "x");
  }
  if (const auto problem = plain == "/" ? NameProblem{"the name is empty", 0} : check_namespace(plain)) {
    throw exceptions::InvalidParametersException(refusal + problem->message);
  }
  return full;
}

bool matches_node(const std::string & pattern, const std::string & node) {
  const auto wanted = tokens_of(pattern);
  const auto given = tokens_of(node);
  // Backtracking, as for wildcards in file names: after a mismatch, the last "**" takes one token more.
  constexpr std::size_t kNone = static_cast<std::size_t>(-1);
  std::size_t w = 0;
  std::size_t g = 0;
  std::size_t star = kNone;  // the last "**" in `wanted`
  std::size_t taken = 0;     // the first token of `given` that it does not take
  while (g < given.size()) {
    if (w < wanted.size() && wanted[w] == "**") {
      star = w++;
      taken = g;
    } else if (w < wanted.size() && (wanted[w] == "*" || wanted[w] == given[g])) {
      ++w, ++g;
    } else if (star != kNone) {
      w = star + 1;
      g = ++taken;
    } else {
      return false;
    }
  }
  while (w < wanted.size() && wanted[w] == "**") ++w;
  return w == wanted.size();
}

}  // namespace rclcpp::detail
