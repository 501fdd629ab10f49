// The type of each topic and service, and which endpoints agree with it. Each has one type, which is installed on this
// host.
#pragma once

#include <array>
#include <chrono>
#include <map>
#include <set>
#include <string>

#include "base/log.hpp"
#include "base/recent.hpp"
#include "planning/plan.hpp"
#include "planning/service_plan.hpp"

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
  void forget(const std::string & topic) { topics_.erase(topic); }
  /// The same for a service, whose servers choose. Null, too, while it has none.
  const ServiceType * choose(const std::string & service, ServiceEndpoints & endpoints);
  void forget_service(const std::string & service) { services_.erase(service); }

 private:
  /// Whether an endpoint is of this type. `hash` is that of the service, if it is one.
  bool agrees(const std::string & subject, const transport::EndpointInfo & endpoint, const MessageType & type,
              const std::array<std::uint8_t, 32> & hash, bool is_local);
  template <class Find>
  auto find(const std::string & subject, const std::string & name, const Find & find_type);

  Log & log_;
  std::map<std::string, const MessageType *> topics_;
  std::map<std::string, const ServiceType *> services_;
  Recent<std::string> missing_{std::chrono::seconds(5)};  ///< types; afterwards they are looked for again
};

}  // namespace tandem::gateway
