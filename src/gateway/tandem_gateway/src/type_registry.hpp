// The type of each topic: one that is installed here, and the ends of the topic that agree with it.
#pragma once

#include <chrono>
#include <map>
#include <set>
#include <string>

#include "log.hpp"
#include "plan.hpp"

namespace tandem::gateway {

/// A topic's ends on both sides, without the gateway's own.
struct BothEnds {
  Ends local;
  Ends network;
  std::set<transport::Gid> refused;  ///< removed from the two by TypeRegistry::choose()
};

/// Not thread-safe.
class TypeRegistry {
 public:
  explicit TypeRegistry(Log & log) : log_(log) {}

  /// The type of the topic, which it keeps until forget(). Ends of another type or definition are removed from `ends`,
  /// and cost a line. Null when the type is not installed, which costs a line too and is looked for again after a while.
  const MessageType * choose(const std::string & topic, BothEnds & ends);
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
