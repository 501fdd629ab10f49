// The ROS graph as one DDS participant knows it: its own nodes and endpoints, and what discovery tells of others.
//
// A vendor's adapter feeds it from its discovery callbacks and publishes what announcement() returns, whenever
// `announce` is called.
#pragma once

#include <functional>
#include <map>
#include <mutex>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "tandem/dds/discovery_info.hpp"
#include "tandem/transport.hpp"

namespace tandem::dds {

/// Thread-safe. Calls nobody with its lock held.
class Graph {
 public:
  /// `adapter` names the transport in warnings. `announce` is called after each change of own nodes or endpoints, in the
  /// thread that made the change.
  Graph(std::string adapter, const Gid & participant, std::function<void()> announce);

  // Own.
  void add(const transport::NodeName & node);
  void remove(const transport::NodeName & node);
  void add(const transport::EndpointInfo & endpoint);
  void remove(const Gid & own_endpoint);
  /// A snapshot with a number that grows, so that two threads do not publish theirs in the wrong order.
  std::pair<std::uint64_t, ParticipantEntities> announcement() const;

  // Discovered. Topics and types that are none of ROS's are left out by the adapter (names.hpp). Own endpoints too.
  /// New or changed. Of an endpoint of another type under a topic of ours a line is logged, once.
  void discovered(const transport::EndpointInfo & endpoint);
  void lost(const Gid & endpoint);
  void lost_participant(const Gid & participant);
  /// A message of ros_discovery_info; a malformed one costs a line, once a participant at most.
  void entities(const void * cdr, std::size_t size);

  /// Own and remote; an endpoint that no node claims has an empty node name.
  transport::GraphSnapshot snapshot() const;

 private:
  struct Remote {
    transport::EndpointInfo endpoint;
  };
  const std::string adapter_;
  const Gid participant_;
  const std::function<void()> announce_;
  mutable std::mutex mutex_;
  std::uint64_t version_ = 0;
  std::multiset<std::pair<std::string, std::string>> nodes_;
  std::map<Gid, transport::EndpointInfo> own_;
  std::map<Gid, Remote> remote_;
  std::map<Gid, ParticipantEntities> claims_;  ///< by participant
  std::set<std::pair<Gid, Gid>> warned_;
};

}  // namespace tandem::dds
