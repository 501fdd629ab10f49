// What passes in a domain: topics, and services, which are two topics each for those who only see shared memory.
#pragma once

#include <map>
#include <string>
#include <utility>
#include <vector>

#include "tandem/inspect.hpp"
#include "tandem/service.hpp"

namespace tandem::doctor {

using transport::Channel;
using transport::channel_of;

/// Of processes that live.
struct Ends {
  std::vector<std::pair<const inspection::Region *, const inspection::Publisher *>> publishers;
  std::vector<std::pair<const inspection::Region *, const inspection::Subscription *>> subscriptions;
};

struct Service {
  Ends requests;  ///< clients publish, servers subscribe
  Ends replies;   ///< servers publish, clients subscribe
};

struct Traffic {
  std::map<std::string, Ends> topics;
  std::map<std::string, Service> services;
};
Traffic traffic_of(const inspection::Domain & domain);

/// "topic /a", or "service /a" for both channels of one.
std::string subject_of(const std::string & topic);
/// "message", "request" or "reply": what passes there.
std::string noun_of(const std::string & topic);
/// "1 request", "12.3k replies".
std::string nouns_of(const std::string & topic, std::uint64_t count);
/// The type of a topic's messages, or of the service.
std::string type_of(const EndpointInfo & endpoint);

}  // namespace tandem::doctor
