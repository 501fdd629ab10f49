// What a liveliness token says, and the keys of topics and services, as the stock rmw_zenoh has them:
//
//   topic, service   <domain>/<name>/<type>/<hash>
//   node             @ros2_lv/<domain>/<session>/<node>/<node>/NN/<enclave>/<namespace>/<name>
//   endpoint         @ros2_lv/<domain>/<session>/<node>/<endpoint>/MP|MS|SS|SC/<enclave>/<namespace>/<name>
//                      /<topic>/<type>/<hash>/<qos>
//
// In a token the slashes of a name are percent signs.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "tandem/status.hpp"
#include "tandem/transport.hpp"

namespace rmw_zenoh {

using namespace tandem::transport;  // NOLINT: all that this package implements

using tandem::StatusBoard;

inline constexpr const char * kName = "rmw_zenoh_cpp";

/// What stands for the hash in Humble, which knows none.
inline constexpr const char * kNoHash = "TypeHashNotSupported";

enum class EntityKind : std::uint8_t { kNode, kPublisher, kSubscription, kServer, kClient };

struct Entity {
  EntityKind kind = EntityKind::kNode;
  std::string session;
  std::uint64_t node_id = 0;
  std::uint64_t id = 0;  ///< of a node: node_id
  NodeName node;
  // Of endpoints.
  std::string name;       ///< "/chatter", "/add_two_ints"
  std::string type;       ///< "std_msgs/msg/String", "example_interfaces/srv/AddTwoInts"
  std::string type_hash;  ///< empty where the other side tells none
  Qos qos;
};

/// A name may have any characters: those that ROS 2 forbids are written as "~" and two hexadecimal digits.
std::string key_of(std::uint32_t domain, const Entity & endpoint);
std::string token_of(std::uint32_t domain, const Entity & entity);
/// Of all tokens of a domain.
std::string tokens_of(std::uint32_t domain);
/// Nothing when the text is no such token.
std::optional<Entity> parse_token(std::string_view token);

/// As stock nodes compute it of an endpoint's token.
Gid gid_of(std::string_view token);

/// What the graph lists of an endpoint: itself, or the two ends of the channels of a server or client, of which the one that
/// takes has `gid`.
std::vector<EndpointInfo> listed(const Entity & endpoint, const Gid & gid);

/// Of an endpoint that is asked for. A service's channel has the service's name and type.
Entity entity_of(const EndpointInfo & endpoint);

}  // namespace rmw_zenoh
