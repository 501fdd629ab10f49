#include "endpoints/type_registry.hpp"

#include <algorithm>
#include <vector>

#include "tandem/service.hpp"
#include "tandem/type_hash.hpp"
#include "tandem/type_library.hpp"

namespace tandem::gateway {
namespace {

using transport::EndpointInfo;

std::string name_of(const EndpointInfo & endpoint) {
  const std::string & space = endpoint.node.name_space;
  return (space.empty() || space.back() != '/' ? space + "/" : space) + endpoint.node.name;
}

/// The first end: those of this host before others, so that what runs here decides.
const EndpointInfo * first_of(const TopicEndpoints & endpoints) {
  for (const auto * side : {&endpoints.local, &endpoints.network}) {
    for (const auto * list : {&side->publishers, &side->subscriptions}) {
      if (!list->empty()) {
        return &list->front();
      }
    }
  }
  return nullptr;
}

}  // namespace

template <class Find>
auto TypeRegistry::find(const std::string & subject, const std::string & name, const Find & find_type) {
  using Type = typename decltype(find_type(name))::value_type;
  if (missing_.contains(name)) {
    return Type(nullptr);
  }
  const auto found = find_type(name);
  if (found) {
    missing_.forget(name);
    return *found;
  }
  missing_.note(name);
  log_.warn_once(subject + " is not carried: " + found.error());
  return Type(nullptr);
}

bool TypeRegistry::agrees(const std::string & subject, const EndpointInfo & endpoint, const MessageType & type,
                          const std::array<std::uint8_t, 32> & hash, bool is_local) {
  const std::string who = subject + ": " + name_of(endpoint) + (is_local ? "" : " (network)");
  if (endpoint.type_name != type.name) {
    log_.warn_once(who + " has the type " + endpoint.type_name + " and is left out, as " + subject + " carries " +
                   type.name + "; rename one of the two");
    return false;
  }
  if (!endpoint.type_hash.empty() && endpoint.type_hash != type_hash_text(hash)) {
    log_.warn_once(who + " is left out, as its definition of " + type.name +
                   " differs from the one installed with the gateway; bring both to the same version of the package");
    return false;
  }
  if (is_local && endpoint.abi != 0 && endpoint.abi != type.abi) {
    log_.warn_once(who + " is left out, as its " + type.name +
                   " lies in memory as another build of Tandem has it; rebuild the node or the gateway");
    return false;
  }
  return true;
}

const MessageType * TypeRegistry::choose(const std::string & topic, TopicEndpoints & endpoints) {
  const std::string subject = "topic '" + topic + "'";
  const MessageType *& type = topics_[topic];
  if (type == nullptr) {
    const EndpointInfo * first = first_of(endpoints);
    type = first != nullptr ? find(subject, first->type_name, find_message_type) : nullptr;
  }
  if (type == nullptr) {
    return nullptr;
  }
  for (auto * side : {&endpoints.local, &endpoints.network}) {
    for (auto * list : {&side->publishers, &side->subscriptions}) {
      std::erase_if(*list, [&](const EndpointInfo & e) {
        return !agrees(subject, e, *type, type->hash, side == &endpoints.local) &&
               endpoints.refused.insert(e.gid).second;
      });
    }
  }
  return type;
}

const ServiceType * TypeRegistry::choose(const std::string & service, ServiceEndpoints & endpoints) {
  const std::string subject = "service '" + service + "'";
  const ServiceType *& type = services_[service];
  const auto plan = make_service_plan(endpoints);
  if (type == nullptr && plan) {
    const std::string & request = plan->server.type_name;
    type = find(subject, transport::service_type_of(request).value_or(request), find_service_type);
  }
  if (type == nullptr) {
    return nullptr;
  }
  for (ServiceEnds * side : {&endpoints.local, &endpoints.network}) {
    for (auto * list : {&side->requests, &side->replies, &side->clients}) {
      const MessageType & message = *(list == &side->replies ? type->response : type->request);
      std::erase_if(*list, [&](const EndpointInfo & e) {
        // Over DDS an end of a service has the hash of its message.
        const bool has_own = side == &endpoints.network && e.type_hash == type_hash_text(message.hash);
        return !agrees(subject, e, message, has_own ? message.hash : type->hash, side == &endpoints.local);
      });
    }
  }
  return type;
}

}  // namespace tandem::gateway
