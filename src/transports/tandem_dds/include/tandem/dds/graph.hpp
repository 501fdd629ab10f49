// The ROS graph as one DDS participant knows it: its own nodes and endpoints, and what discovery tells of others.
//
// A vendor's adapter feeds it from its discovery callbacks and publishes what announcement() returns, whenever
// `announce` is called.
#pragma once

#include <atomic>
#include <chrono>
#include <functional>
#include <map>
#include <mutex>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "tandem/dds/discovery_info.hpp"
#include "tandem/transport.hpp"

namespace tandem::dds {

/// What ROS 2 calls the node of an endpoint that no node claims (yet).
inline constexpr const char * kUnknownNode = "_NODE_NAME_UNKNOWN_";
inline constexpr const char * kUnknownNameSpace = "_NODE_NAMESPACE_UNKNOWN_";

/// Thread-safe. Calls nobody with its lock held.
///
/// It logs, never twice the same line, why an own endpoint and another one of its topic do not match: types, hashes of
/// types (which part nobody), reliability, durability. The adapter need not.
class Graph {
 public:
  /// `adapter` names the transport in warnings. `announce` is called after each change of own nodes or endpoints, in the
  /// thread that made the change.
  Graph(std::string adapter, const Gid & participant, std::function<void()> announce);

  // Own.
  void add(const transport::NodeName & node);
  void remove(const transport::NodeName & node);
  /// `is_deaf_to_own`: a subscription that hears no publisher of this participant.
  void add(const transport::EndpointInfo & endpoint, bool is_deaf_to_own = false);
  void remove(const Gid & own_endpoint);
  /// A snapshot with a number that grows, so that two threads do not publish theirs in the wrong order.
  std::pair<std::uint64_t, ParticipantEntities> announcement() const;

  // Discovered. Topics that are none of ROS's are left out by the adapter (from_dds_topic), own endpoints too; a type
  // that is none of ROS's comes as it is called: from_dds_type(type).value_or(type).
  /// New or changed. The node is found out here.
  void discovered(const transport::EndpointInfo & endpoint);
  void lost(const Gid & endpoint);
  /// With its endpoints and nodes.
  void lost_participant(const Gid & participant);
  /// A message of ros_discovery_info, own ones included. A malformed one changes nothing and is logged.
  /// \return how wide the Gids of another participant's are.
  std::optional<GidWidth> entities(const void * cdr, std::size_t size);

  /// Prints a line in the adapter's name.
  void warn(const std::string & line) const;

  /// Own and remote. Claims of a participant count for its own endpoints only.
  transport::GraphSnapshot snapshot() const;
  /// Of an own or discovered endpoint that is there, as far as DDS tells; else the default.
  transport::Qos qos_of(const Gid & endpoint) const;
  /// Of a publisher, as qos_of(), for each message: one load as long as no publisher has had a finite lifespan.
  std::chrono::nanoseconds lifespan_of(const Gid & publisher) const {
    return has_lifespans_.load(std::memory_order_relaxed) ? qos_of(publisher).lifespan : transport::kInfinite;
  }

 private:
  struct Own {
    transport::EndpointInfo endpoint;
    bool is_deaf_to_own;
  };

  void look_for_lifespan(const transport::Qos & qos) {
    if (qos.lifespan != transport::kInfinite) {
      has_lifespans_.store(true, std::memory_order_relaxed);
    }
  }
  void compare_locked(const transport::EndpointInfo & a, const transport::EndpointInfo & b,
                      std::vector<std::string> & lines);
  void add_line_locked(std::string line, std::vector<std::string> & lines);

  const std::string adapter_;
  const Gid participant_;
  const std::function<void()> announce_;
  std::atomic<bool> has_lifespans_{false};
  mutable std::mutex mutex_;
  std::uint64_t version_ = 0;
  std::multiset<std::pair<std::string, std::string>> nodes_;  ///< name space, name
  std::map<Gid, Own> own_;
  std::map<Gid, transport::EndpointInfo> remote_;
  std::map<Gid, ParticipantEntities> claims_;  ///< by participant
  std::set<std::string> logged_;
};

}  // namespace tandem::dds
