// Names and identities: types, endpoints, nodes, and the graph that they form.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "tandem/qos.hpp"

namespace tandem {

/// What two endpoints must agree on before they match.
struct TypeIdentity {
  std::string name;                     ///< "sensor_msgs/msg/Image"
  std::array<std::uint8_t, 32> hash{};  ///< RIHS01
  std::uint64_t abi = 0;                ///< layout of the types as this translation unit sees it

  bool operator==(const TypeIdentity & other) const {
    return name == other.name && hash == other.hash && abi == other.abi;
  }
};

/// What the core must be told of messages that own further memory, as it knows only bytes. All null for messages whose
/// bytes are their value. Called from any thread; none of the functions throws.
struct MessageFunctions {
  const void * type = nullptr;  ///< handed to each; it and the functions live for as long as any message does
  /// Whether all that the message refers to lies within the `size` bytes at `region`. Whatever the message's content,
  /// nothing else is read, and the time is bounded.
  bool (*is_sound)(const void * type, const void * message, const void * region, std::size_t size) = nullptr;
  /// Copy-constructs the message at `memory`. False when memory is short.
  bool (*copy)(const void * type, void * memory, const void * message) = nullptr;
  void (*destroy)(const void * type, void * message) = nullptr;
};

/// "RIHS01_<64 hex digits>".
std::string to_string(const std::array<std::uint8_t, 32> & hash);

/// Identity of an endpoint on this host: the process's incarnation and a number that it never reuses.
struct EndpointId {
  std::uint64_t incarnation = 0;
  std::uint64_t number = 0;
  bool operator==(const EndpointId & o) const { return incarnation == o.incarnation && number == o.number; }
  bool operator!=(const EndpointId & o) const { return !(*this == o); }
};

/// What a message has beside its bytes on topics where both ends want it so: a subscription and a number of its own.
struct Address {
  EndpointId subscription;
  std::uint64_t number = 0;
};

enum class Addressing : std::uint8_t {
  kNone,       ///< messages have no address
  kAttached,   ///< they have one, and go to all
  kDelivered,  ///< they go only to the subscription of their address, and each is kept until that has taken it
};

enum class EndpointKind : std::uint8_t { kPublisher, kSubscription };

struct NodeName {
  std::string name_space;  ///< "/" or "/a/b"
  std::string name;
  bool operator==(const NodeName & o) const { return name_space == o.name_space && name == o.name; }
};

/// Names a publisher elsewhere, whose messages one of this host passes on; what it is made of is no matter. Zeros: none.
using OriginId = std::array<std::uint8_t, 16>;

struct EndpointInfo {
  EndpointId id;
  EndpointKind kind = EndpointKind::kPublisher;
  std::string topic;  ///< fully qualified: "/a/b"
  TypeIdentity type;
  Qos qos;
  NodeName node;
  OriginId origin{};      ///< of a publisher; see PublisherOptions
  std::string user_data;  ///< of its maker's own
};

struct ProcessInfo {
  std::uint64_t incarnation = 0;
  std::int32_t pid = 0;
  std::string executable;
  std::vector<NodeName> nodes;
  std::vector<EndpointInfo> endpoints;
};

/// Every process of a domain as its region's directory tells.
struct Graph {
  std::vector<ProcessInfo> processes;
};

}  // namespace tandem
