#include "terminal/errors.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>

namespace ros2cli {
namespace {

constexpr std::size_t kMostListed = 60;

std::string lower(std::string_view text) {
  std::string result(text);
  std::transform(result.begin(), result.end(), result.begin(),
                 [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
  return result;
}

/// Letters that must be changed, added, left out or swapped with the next to get from one to the other.
std::size_t distance(std::string_view a, std::string_view b) {
  std::vector<std::vector<std::size_t>> cost(a.size() + 1, std::vector<std::size_t>(b.size() + 1));
  for (std::size_t i = 0; i <= a.size(); ++i) {
    for (std::size_t j = 0; j <= b.size(); ++j) {
      if (i == 0 || j == 0) {
        cost[i][j] = i + j;
        continue;
      }
      const std::size_t change = a[i - 1] == b[j - 1] ? 0 : 1;
      cost[i][j] = std::min({cost[i - 1][j] + 1, cost[i][j - 1] + 1, cost[i - 1][j - 1] + change});
      if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1]) {
        cost[i][j] = std::min(cost[i][j], cost[i - 2][j - 2] + 1);
      }
    }
  }
  return cost[a.size()][b.size()];
}

}  // namespace

std::vector<std::string> closest(std::string_view name, const std::vector<std::string> & existing) {
  const std::string wanted = lower(name);
  std::vector<std::pair<std::size_t, std::string>> ranked;
  for (const std::string & candidate : existing) {
    const std::string other = lower(candidate);
    const std::size_t away = distance(wanted, other);
    if (away <= std::max<std::size_t>(1, std::min(wanted.size(), other.size()) / 3)) {
      ranked.emplace_back(away, candidate);
    } else if (!wanted.empty() && other.find(wanted) != std::string::npos) {
      ranked.emplace_back(100 + away, candidate);  // a part was left out
    }
  }
  std::sort(ranked.begin(), ranked.end());
  std::vector<std::string> names;
  for (std::size_t i = 0; i < std::min<std::size_t>(ranked.size(), 3); ++i) {
    names.push_back(ranked[i].second);
  }
  return names;
}

std::string listing(const std::vector<std::string> & names) {
  const auto shown = static_cast<std::ptrdiff_t>(std::min(names.size(), kMostListed));
  std::string text = fmt::format("{}", fmt::join(names.begin(), names.begin() + shown, ", "));
  if (names.size() > kMostListed) {
    text += fmt::format(" and {} more", names.size() - kMostListed);
  }
  return text;
}

CommandError unknown(std::string_view kind, std::string_view name, std::vector<std::string> existing) {
  std::sort(existing.begin(), existing.end());
  std::string text = fmt::format("there is no {} '{}'", kind, name);
  std::string guesses;
  for (const std::string & guess : closest(name, existing)) {
    guesses += fmt::format("{}'{}'", guesses.empty() ? "" : " or ", guess);
  }
  if (!guesses.empty()) {
    text += "; did you mean " + guesses + "?";
  }
  if (!existing.empty()) {
    text += "\nThese exist: " + listing(existing);
  }
  return CommandError(text);
}

}  // namespace ros2cli
