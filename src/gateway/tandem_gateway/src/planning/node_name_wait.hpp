// Waiting for the names of endpoints' nodes: a network tells of nodes and endpoints in different ways.
#pragma once

#include <chrono>

#include "base/recent.hpp"
#include "tandem/transport.hpp"

namespace tandem::gateway {

inline constexpr const char * kUnknownNode = "_NODE_NAME_UNKNOWN_";
inline constexpr const char * kUnknownNamespace = "_NODE_NAMESPACE_UNKNOWN_";

inline bool is_unknown(const transport::NodeName & node) { return node.name.empty() || node.name == kUnknownNode; }

/// Used by one thread.
class NodeNameWait {
 public:
  /// Whether the name of the endpoint's node is known, or has been waited for long enough.
  bool is_over(const transport::EndpointInfo & endpoint) {
    if (!is_unknown(endpoint.node)) {
      return true;
    }
    const auto first_seen = first_seen_.when(endpoint.gid);
    if (!first_seen) {
      first_seen_.note(endpoint.gid);
      return false;
    }
    return std::chrono::steady_clock::now() - *first_seen >= kTimeout;
  }
  void forget(const transport::Gid & gid) { first_seen_.forget(gid); }

 private:
  static constexpr auto kTimeout = std::chrono::milliseconds(500);
  Recent<transport::Gid> first_seen_{std::chrono::minutes(1)};
};

}  // namespace tandem::gateway
