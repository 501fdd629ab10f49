// The ROS graph: own nodes and endpoints, and what liveliness tokens tell of others.
#pragma once

#include <atomic>
#include <chrono>
#include <map>
#include <memory>
#include <mutex>
#include <set>
#include <string>
#include <vector>

#include "entity.hpp"

namespace rmw_zenoh {

/// Thread-safe. Listeners of status boards are called without its lock.
///
/// As with stock nodes, a publisher and a subscription match when name, type and hash are the same, whatever their QoS. That
/// they differ in type is logged, once.
class Graph {
 public:
  explicit Graph(std::string session) : session_(std::move(session)) {}

  void add(const NodeName & node);
  void remove(const NodeName & node);
  /// An own endpoint. `board` learns what it matches.
  void add(const EndpointInfo & endpoint, bool ignores_local, std::shared_ptr<StatusBoard> board);
  void remove(const Gid & own);
  /// A token has come or gone. Those of the own session count for nothing.
  void heard(std::string_view token, bool is_there);

  GraphSnapshot snapshot() const;
  /// Of a publisher, for each message: one load as long as no publisher has had a finite one.
  std::chrono::nanoseconds lifespan_of(const Gid & publisher) const;
  bool is_own(const Gid & endpoint) const;

 private:
  struct Own {
    EndpointInfo info;
    bool ignores_local;
    std::shared_ptr<StatusBoard> board;
  };
  using Boards = std::vector<std::shared_ptr<StatusBoard>>;
  struct Changes {
    Boards boards;
    std::vector<std::pair<std::string, std::string>> lines;  ///< topic, text
  };

  void note_locked(const EndpointInfo & info);
  void update_locked(const std::string & topic, Changes & changes);
  void compare_locked(const Own & own, const EndpointInfo & other, StatusBoard::Counterparts & matched,
                      StatusBoard::Counterparts & misfits, Changes & changes);
  static void tell(const Changes & changes);

  const std::string session_;
  std::atomic<bool> has_lifespans_{false};
  mutable std::mutex mutex_;
  // Guarded by mutex_.
  std::multiset<std::pair<std::string, std::string>> own_nodes_;  ///< name space, name
  std::map<std::string, NodeName, std::less<>> nodes_;            ///< of others, by token
  std::map<std::string, std::map<Gid, Own>> own_;                 ///< by topic
  std::map<std::string, std::map<Gid, EndpointInfo>> others_;     ///< by topic
  std::map<Gid, std::string> topics_;                             ///< of all endpoints
  std::set<std::string> logged_;
};

}  // namespace rmw_zenoh
