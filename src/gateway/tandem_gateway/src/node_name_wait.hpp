// Waiting for the names of endpoints' nodes: a network tells of nodes and endpoints in different ways.
#pragma once

#include <chrono>
#include <map>

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
    const auto first_seen = first_seen_.try_emplace(endpoint.gid, Clock::now()).first->second;
    return Clock::now() - first_seen >= kTimeout;
  }
  void forget(const transport::Gid & gid) { first_seen_.erase(gid); }

 private:
  using Clock = std::chrono::steady_clock;
  static constexpr auto kTimeout = std::chrono::milliseconds(500);
  std::map<transport::Gid, Clock::time_point> first_seen_;
};

}  // namespace tandem::gateway
