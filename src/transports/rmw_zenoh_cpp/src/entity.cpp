#include "entity.hpp"

#define XXH_INLINE_ALL
#include <xxhash.h>

#include <algorithm>
#include <charconv>
#include <cstdlib>
#include <cstring>
#include <utility>

#include "qos_text.hpp"
#include "tandem/dds/names.hpp"
#include "tandem/service.hpp"

namespace rmw_zenoh {
namespace {

namespace dds = tandem::dds;

constexpr const char * kSpace = "@ros2_lv";
constexpr const char * kKinds[] = {"NN", "MP", "MS", "SS", "SC"};
constexpr std::size_t kNodeParts = 9;
constexpr std::size_t kEndpointParts = 13;
constexpr const char * kNoNode = "_NODE_NAME_UNKNOWN_";

bool is_plain(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_'; }

/// Words between single slashes, none of them empty. A slash that would make an empty word is written as a code; so is the
/// end of a name that does not begin with a slash.
std::string escaped(std::string_view name) {
  constexpr char kDigits[] = "0123456789ABCDEF";
  std::string text;
  const auto add_code = [&](char c) {
    const auto byte = static_cast<unsigned char>(c);
    text += {'~', kDigits[byte >> 4], kDigits[byte & 15]};
  };
  const bool is_relative = !name.starts_with('/');
  for (std::size_t i = is_relative ? 0 : 1; i < name.size(); ++i) {
    const bool separates = name[i] == '/' && !text.empty() && text.back() != '/' && i + 1 < name.size();
    if (is_plain(name[i]) || separates) {
      text += name[i];
    } else {
      add_code(name[i]);
    }
  }
  if (is_relative || text.empty()) {
    add_code('\0');
  }
  return text;
}

std::optional<std::string> unescaped(std::string_view text) {
  std::string name = "/";
  bool is_relative = false;
  while (!text.empty()) {
    if (text.front() != '~') {
      name += text.front();
      text.remove_prefix(1);
      continue;
    }
    unsigned byte = 0;
    if (text.size() < 3 || std::from_chars(text.data() + 1, text.data() + 3, byte, 16).ptr != text.data() + 3) {
      return std::nullopt;
    }
    if (byte == 0) {
      is_relative = name.size() > 1;
    } else {
      name += static_cast<char>(byte);
    }
    text.remove_prefix(3);
  }
  return is_relative ? name.substr(1) : name;
}

std::string mangled(std::string text) {
  for (char & c : text) {
    c = c == '/' ? '%' : c;
  }
  return text;
}

std::string demangled(std::string_view text) {
  std::string name(text);
  for (char & c : name) {
    c = c == '%' ? '/' : c;
  }
  return name;
}

std::vector<std::string_view> split(std::string_view text) {
  std::vector<std::string_view> parts;
  for (std::size_t slash = 0; (slash = text.find('/')) != std::string_view::npos;) {
    parts.push_back(text.substr(0, slash));
    text.remove_prefix(slash + 1);
  }
  parts.push_back(text);
  return parts;
}

template <class Number>
bool read(std::string_view text, Number & number) {
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  return error == std::errc() && end == text.data() + text.size();
}

std::string type_and_hash(const Entity & endpoint) {
  return dds::to_dds_type(endpoint.type) + "/" + (endpoint.type_hash.empty() ? kNoHash : endpoint.type_hash);
}

bool is_channel(EntityKind kind) { return kind == EntityKind::kServer || kind == EntityKind::kClient; }

}  // namespace

std::string key_of(std::uint32_t domain, const Entity & endpoint) {
  return std::to_string(domain) + "/" + escaped(endpoint.name) + "/" + type_and_hash(endpoint);
}

std::string tokens_of(std::uint32_t domain) { return std::string(kSpace) + "/" + std::to_string(domain) + "/**"; }

std::string token_of(std::uint32_t domain, const Entity & entity) {
  const NodeName & node = entity.node;
  std::string token =
      std::string(kSpace) + "/" + std::to_string(domain) + "/" + entity.session + "/" + std::to_string(entity.node_id) +
      "/" + std::to_string(entity.id) + "/" + kKinds[static_cast<std::size_t>(entity.kind)] + "/%/" +
      mangled(node.name_space.empty() ? "/" : node.name_space) + "/" + (node.name.empty() ? kNoNode : node.name);
  if (entity.kind != EntityKind::kNode) {
    token += "/" + mangled("/" + escaped(entity.name)) + "/" + type_and_hash(entity) + "/" + to_text(entity.qos);
  }
  return token;
}

std::optional<Entity> parse_token(std::string_view token) {
  const auto parts = split(token);
  if (parts.size() < kNodeParts || parts[0] != kSpace) {
    return std::nullopt;
  }
  Entity entity;
  const auto * const kind = std::find(std::begin(kKinds), std::end(kKinds), parts[5]);
  if (kind == std::end(kKinds) || !read(parts[3], entity.node_id) || !read(parts[4], entity.id)) {
    return std::nullopt;
  }
  entity.kind = static_cast<EntityKind>(kind - std::begin(kKinds));
  entity.session = parts[2];
  entity.node = {demangled(parts[7]), demangled(parts[8])};
  if (entity.kind == EntityKind::kNode) {
    return entity;
  }
  if (parts.size() < kEndpointParts || !parts[9].starts_with('%')) {
    return std::nullopt;
  }
  const auto name = unescaped(demangled(parts[9].substr(1)));
  const auto type = dds::from_dds_type(demangled(parts[10]));
  const auto qos = qos_of(parts[12]);
  if (!name || !qos) {
    return std::nullopt;
  }
  entity.name = *name;
  entity.type = type.value_or(std::string(parts[10]));
  entity.type_hash = parts[11] == kNoHash ? "" : parts[11];
  entity.qos = *qos;
  return entity;
}

Gid gid_of(std::string_view token) {
  const XXH128_hash_t hash = XXH3_128bits(token.data(), token.size());
  Gid gid;
  std::memcpy(gid.data(), &hash.low64, sizeof hash.low64);
  std::memcpy(gid.data() + sizeof hash.low64, &hash.high64, sizeof hash.high64);
  return gid;
}

std::vector<EndpointInfo> listed(const Entity & endpoint, const Gid & gid) {
  const auto info = [&](EndpointKind kind, std::string topic, std::string type, const Gid & its) {
    return EndpointInfo{kind, std::move(topic), std::move(type), endpoint.type_hash,
                        0,    endpoint.node,    endpoint.qos,    its};
  };
  if (!is_channel(endpoint.kind)) {
    const bool publishes = endpoint.kind == EntityKind::kPublisher;
    return {
        info(publishes ? EndpointKind::kPublisher : EndpointKind::kSubscription, endpoint.name, endpoint.type, gid)};
  }
  Gid sender = gid;
  sender.back() ^= 1;
  const bool serves = endpoint.kind == EntityKind::kServer;
  return {info(serves ? EndpointKind::kSubscription : EndpointKind::kPublisher, request_channel(endpoint.name),
               endpoint.type + "_Request", serves ? gid : sender),
          info(serves ? EndpointKind::kPublisher : EndpointKind::kSubscription, reply_channel(endpoint.name),
               endpoint.type + "_Response", serves ? sender : gid)};
}

Entity entity_of(const EndpointInfo & endpoint) {
  Entity entity;
  entity.node = endpoint.node;
  entity.type_hash = endpoint.type_hash;
  entity.qos = endpoint.qos;
  const bool publishes = endpoint.kind == EndpointKind::kPublisher;
  const Channel channel = channel_of(endpoint.topic);
  if (channel == Channel::kTopic) {
    entity.kind = publishes ? EntityKind::kPublisher : EntityKind::kSubscription;
    entity.name = endpoint.topic;
    entity.type = endpoint.type_name;
  } else {
    entity.kind = (channel == Channel::kRequest) == publishes ? EntityKind::kClient : EntityKind::kServer;
    entity.name = service_of(endpoint.topic).value_or(endpoint.topic);
    entity.type = service_type_of(endpoint.type_name).value_or(endpoint.type_name);
  }
  static const bool has_hashes = dds::chosen_width() != dds::GidWidth::k24;
  if (!has_hashes) {
    entity.type_hash.clear();
  }
  return entity;
}

}  // namespace rmw_zenoh
