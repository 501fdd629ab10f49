#include "type_registry.hpp"

#include <algorithm>
#include <vector>

#include "tandem/type_library.hpp"

namespace tandem::gateway {
namespace {

using transport::EndpointInfo;

constexpr auto kLookAgain = std::chrono::seconds(5);

std::string to_text(const std::array<std::uint8_t, 32> & hash) {
  static constexpr char kDigits[] = "0123456789abcdef";
  std::string text = "RIHS01_";
  for (const std::uint8_t byte : hash) {
    text += kDigits[byte >> 4];
    text += kDigits[byte & 15];
  }
  return text;
}

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

const MessageType * TypeRegistry::find(const std::string & topic, const std::string & name) {
  const auto missing = missing_.find(name);
  if (missing != missing_.end() && Clock::now() < missing->second) {
    return nullptr;
  }
  const auto found = find_message_type(name);
  if (found) {
    missing_.erase(name);
    return *found;
  }
  missing_[name] = Clock::now() + kLookAgain;
  log_.warn_once("topic '" + topic + "' is not carried: " + found.error());
  return nullptr;
}

bool TypeRegistry::agrees(const EndpointInfo & endpoint, const MessageType & type, bool is_local) {
  if (endpoint.type_name != type.name) {
    log_.warn_once("topic '" + endpoint.topic + "': " + name_of(endpoint) + (is_local ? "" : " (network)") +
                   " has the type " + endpoint.type_name + " and is left out, as the topic carries " + type.name +
                   "; rename one of the two topics");
    return false;
  }
  if (!endpoint.type_hash.empty() && endpoint.type_hash != to_text(type.hash)) {
    log_.warn_once("topic '" + endpoint.topic + "': " + name_of(endpoint) + (is_local ? "" : " (network)") +
                   " is left out, as its definition of " + type.name +
                   " differs from the one installed with the gateway; bring both to the same version of the package");
    return false;
  }
  if (is_local && endpoint.abi != 0 && endpoint.abi != type.abi) {
    log_.warn_once("topic '" + endpoint.topic + "': " + name_of(endpoint) + " is left out, as its " + type.name +
                   " lies in memory as another build of Tandem has it; rebuild the node or the gateway");
    return false;
  }
  return true;
}

const MessageType * TypeRegistry::choose(const std::string & topic, TopicEndpoints & endpoints) {
  Choice & choice = chosen_[topic];
  if (choice.type == nullptr) {
    const EndpointInfo * first = first_of(endpoints);
    choice.name = first != nullptr ? first->type_name : "";
    choice.type = first != nullptr ? find(topic, choice.name) : nullptr;
  }
  if (choice.type == nullptr) {
    return nullptr;
  }
  for (auto * side : {&endpoints.local, &endpoints.network}) {
    for (auto * list : {&side->publishers, &side->subscriptions}) {
      std::erase_if(*list, [&](const EndpointInfo & e) {
        return !agrees(e, *choice.type, side == &endpoints.local) && endpoints.refused.insert(e.gid).second;
      });
    }
  }
  return choice.type;
}

}  // namespace tandem::gateway
