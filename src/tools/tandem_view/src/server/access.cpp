#include "server/access.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <sys/random.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstdint>
#include <cstring>
#include <stdexcept>

namespace tandem::view {
namespace {

constexpr std::string_view kParameter = "token=";

/// The token of "token=...&b=c"; empty if there is none.
std::string_view token_in_query(std::string_view query) {
  while (!query.empty()) {
    const std::string_view part = query.substr(0, query.find('&'));
    if (part.starts_with(kParameter)) {
      return part.substr(kParameter.size());
    }
    query.remove_prefix(std::min(query.size(), part.size() + 1));
  }
  return {};
}

/// "localhost" of "localhost:8765", "[::1]" of "[::1]:8765".
std::string_view without_port(std::string_view host) {
  const std::size_t colon = host.rfind(':');
  const std::size_t bracket = host.rfind(']');
  const bool has_port = colon != std::string_view::npos && (bracket == std::string_view::npos || colon > bracket);
  return has_port ? host.substr(0, colon) : host;
}

}  // namespace

std::string make_token() {
  std::array<std::uint8_t, 16> bytes{};
  if (getrandom(bytes.data(), bytes.size(), 0) != static_cast<ssize_t>(bytes.size())) {
    throw std::runtime_error(fmt::format("the kernel gives no random numbers for the token: {}", std::strerror(errno)));
  }
  return fmt::format("{:02x}", fmt::join(bytes, ""));
}

bool equal_in_constant_time(std::string_view a, std::string_view b) {
  if (a.size() != b.size()) {
    return false;  // the length is no secret
  }
  unsigned difference = 0;
  for (std::size_t i = 0; i < a.size(); ++i) {
    difference |= static_cast<unsigned char>(a[i]) ^ static_cast<unsigned char>(b[i]);
  }
  return difference == 0;
}

std::optional<std::string> Access::path_of(const Question & question) const {
  const std::string_view target = question.target;
  const std::size_t mark = std::min(target.find('?'), target.size());
  const std::string_view path = target.substr(0, mark);
  const std::string_view query = target.substr(std::min(target.size(), mark + 1));
  if (token.empty() || equal_in_constant_time(token_in_query(query), token)) {
    return std::string(path.empty() ? "/" : path);
  }
  if (!path.starts_with('/')) {
    return std::nullopt;
  }
  const std::string_view first = path.substr(1, path.find('/', 1) - 1);
  if (!equal_in_constant_time(first, token)) {
    return std::nullopt;
  }
  return std::string(path.substr(1 + first.size()));
}

bool Access::is_host_right(const Question & question) const {
  const std::string_view host = without_port(question.host);
  return !is_loopback || host.empty() || host == "localhost" || host == "[::1]" || host.starts_with("127.");
}

bool Access::is_origin_right(const Question & question) const {
  if (!question.origin) {
    return true;
  }
  const std::string & origin = *question.origin;
  if (origin == "http://" + question.host || std::find(origins.begin(), origins.end(), origin) != origins.end()) {
    return true;
  }
  const bool is_web_page = origin.starts_with("http://") || origin.starts_with("https://");
  return !is_web_page && !token.empty();
}

}  // namespace tandem::view
