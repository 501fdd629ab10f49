// The type of each topic, and which endpoints agree with it. A topic has one type, which is installed on this host.
#pragma once

#include <chrono>
#include <map>
#include <set>
#include <string>

#include "log.hpp"
#include "plan.hpp"

namespace tandem::gateway {

/// A topic's endpoints on both sides, without the gateway's own.
struct TopicEndpoints {
  Endpoints local;
  Endpoints network;
  std::set<transport::Gid> refused;  ///< endpoints that TypeRegistry::choose() has removed
};

/// Not thread-safe.
class TypeRegistry {
 public:
  explicit TypeRegistry(Log & log) : log_(log) {}

  /// The type of the topic. It stays the same until forget(). Endpoints of another type or definition are removed from
  /// `endpoints` and logged. Null when the type is not installed: that is logged too, and tried again after a while.
  const MessageType * choose(const std::string & topic, TopicEndpoints & endpoints);
  void forget(const std::string & topic) { chosen_.erase(topic); }

 private:
  using Clock = std::chrono::steady_clock;
  struct Choice {
    std::string name;
    const MessageType * type = nullptr;
  };
  bool agrees(const transport::EndpointInfo & endpoint, const MessageType & type, bool is_local);
  const MessageType * find(const std::string & topic, const std::string & name);

  Log & log_;
  std::map<std::string, Choice> chosen_;
  std::map<std::string, Clock::time_point> missing_;  ///< types, and when to look again
};

}  // namespace tandem::gateway
