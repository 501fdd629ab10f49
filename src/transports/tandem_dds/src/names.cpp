#include "tandem/dds/names.hpp"

#include <algorithm>
#include <atomic>
#include <cstdio>
#include <cstdlib>

#include "tandem/security.hpp"
#include "tandem/service.hpp"
#include "tandem/type_hash.hpp"

namespace tandem::dds {
namespace {

constexpr std::string_view kTopicPrefix = "rt";
constexpr std::string_view kHashPrefix = "RIHS01_";
constexpr std::size_t kHashDigits = 64;
constexpr const char * kEarlier[] = {"ardent",   "bouncy", "crystal",  "dashing",
                                     "eloquent", "foxy",   "galactic", "humble"};
constexpr const char * kLater[] = {"iron", "jazzy", "kilted", "lyrical", "rolling"};

bool is_name_character(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_';
}

bool is_identifier(std::string_view text) {
  return !text.empty() && std::all_of(text.begin(), text.end(), is_name_character);
}

bool is_lower_hex(char c) { return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'f'); }

/// Every "/word" of a fully qualified name.
bool is_qualified(std::string_view name) {
  while (!name.empty()) {
    if (name.front() != '/') {
      return false;
    }
    name.remove_prefix(1);
    const std::size_t length = std::min(name.find('/'), name.size());
    if (!is_identifier(name.substr(0, length))) {
      return false;
    }
    name.remove_prefix(length);
  }
  return true;
}

/// The value of "key=value;" in user data, which hold several of them; nothing when it is not there.
std::optional<std::string_view> value_of(std::string_view key, std::string_view user_data) {
  while (!user_data.empty()) {
    const std::size_t end = std::min(user_data.find(';'), user_data.size());
    const std::string_view pair = user_data.substr(0, end);
    user_data.remove_prefix(std::min(end + 1, user_data.size()));
    if (pair.size() > key.size() && pair[key.size()] == '=' && pair.substr(0, key.size()) == key) {
      return pair.substr(key.size() + 1);
    }
  }
  return std::nullopt;
}

template <std::size_t Size>
bool is_among(const char * const (&names)[Size], std::string_view name) {
  return std::find(std::begin(names), std::end(names), name) != std::end(names);
}

}  // namespace

std::string to_dds_topic(std::string_view topic) {
  const bool is_channel = transport::channel_of(topic) != transport::Channel::kTopic;
  return std::string(is_channel ? "" : kTopicPrefix).append(topic);
}

std::optional<std::string> from_dds_topic(std::string_view topic) {
  if (const auto service = transport::service_of(topic)) {
    return is_qualified(*service) ? std::make_optional(std::string(topic)) : std::nullopt;
  }
  if (topic.substr(0, kTopicPrefix.size()) != kTopicPrefix) {
    return std::nullopt;
  }
  topic.remove_prefix(kTopicPrefix.size());
  return topic.empty() || !is_qualified(topic) ? std::nullopt : std::make_optional(std::string(topic));
}

std::string to_dds_type(std::string_view type) {
  std::string text;
  for (std::size_t slash = type.find('/'); slash != std::string_view::npos; slash = type.find('/')) {
    text.append(type.substr(0, slash)).append("::");
    type.remove_prefix(slash + 1);
  }
  return text.append("dds_::").append(type).append("_");
}

std::optional<std::string> from_dds_type(std::string_view type) {
  constexpr std::string_view kMark = "::dds_::";
  const std::size_t mark = type.find(kMark);
  if (mark == std::string_view::npos || type.back() != '_') {
    return std::nullopt;
  }
  const std::string_view package = type.substr(0, mark);
  std::string_view name = type.substr(mark + kMark.size());
  name.remove_suffix(name.empty() ? 0 : 1);
  const std::size_t colons = package.find("::");  // "std_msgs::msg"
  if (colons == std::string_view::npos || !is_identifier(package.substr(0, colons)) ||
      !is_identifier(package.substr(colons + 2)) || !is_identifier(name)) {
    return std::nullopt;
  }
  return std::string(package.substr(0, colons)).append("/").append(package.substr(colons + 2)).append("/").append(name);
}

std::string participant_user_data() { return "enclave=" + transport::enclave() + ";"; }

std::string endpoint_user_data(std::string_view type_hash, const transport::Gid & origin) {
  const std::string hash = std::string("typehash=").append(type_hash).append(";");
  return origin == transport::Gid{} ? hash : hash + "origin=" + transport::to_hex(origin) + ";";
}

transport::EndpointInfo as_told(transport::EndpointInfo endpoint, const MessageType & type) {
  endpoint.type_hash = type_hash_text(type.hash);
  return endpoint;
}

transport::Gid origin_in(std::string_view user_data) {
  return transport::gid_of(value_of("origin", user_data).value_or("")).value_or(transport::Gid{});
}

std::string type_hash_in(std::string_view user_data) {
  const std::string_view hash = value_of("typehash", user_data).value_or("");
  const bool fits = hash.size() == kHashPrefix.size() + kHashDigits &&
                    hash.substr(0, kHashPrefix.size()) == kHashPrefix &&
                    std::all_of(hash.begin() + kHashPrefix.size(), hash.end(), is_lower_hex);
  return fits ? std::string(hash) : std::string();
}

bool reads_any_width(std::string_view user_data) { return value_of("gids", user_data) == "any"; }

bool is_ros_participant(std::string_view user_data) { return value_of("enclave", user_data).has_value(); }

std::optional<GidWidth> chosen_width() {
  const char * value = std::getenv("TANDEM_ROS_DISTRO");
  const std::string_view distribution = value != nullptr ? value : "";
  if (is_among(kEarlier, distribution)) {
    return GidWidth::k24;
  }
  if (is_among(kLater, distribution)) {
    return GidWidth::k16;
  }
  static std::atomic<bool> is_said{false};
  if (!distribution.empty() && !is_said.exchange(true)) {
    std::fprintf(stderr,
                 "[WARN] [tandem_dds]: TANDEM_ROS_DISTRO=%.40s is no distribution of ROS 2; it counts as unset. "
                 "Set it to humble, jazzy, ..., or unset it\n",
                 value);
  }
  return std::nullopt;
}

}  // namespace tandem::dds
