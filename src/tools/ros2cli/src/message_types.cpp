#include "message_types.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <deque>
#include <new>

#include "ament_index.hpp"
#include "errors.hpp"
#include "tandem/type_library.hpp"

namespace ros2cli {
namespace {

constexpr std::string_view kHashPrefix = "RIHS01_";

std::string to_text(const std::array<std::uint8_t, 32> & hash) {
  return fmt::format("{}{:02x}", kHashPrefix, fmt::join(hash, ""));
}

/// False if the text is no hash.
bool parse_hash(const std::string & text, std::array<std::uint8_t, 32> & hash) {
  if (!text.starts_with(kHashPrefix) || text.size() != kHashPrefix.size() + 2 * hash.size()) {
    return false;
  }
  for (std::size_t i = 0; i < hash.size(); ++i) {
    const std::string digits = text.substr(kHashPrefix.size() + 2 * i, 2);
    if (digits.find_first_not_of("0123456789abcdef") != std::string::npos) {
      return false;
    }
    hash[i] = static_cast<std::uint8_t>(std::stoul(digits, nullptr, 16));
  }
  return true;
}

/// Empty if messages of the endpoint are messages of the type; else what differs.
std::string difference(const tandem::MessageType & type, const tandem::transport::EndpointInfo & endpoint) {
  if (!endpoint.type_hash.empty() && endpoint.type_hash != to_text(type.hash)) {
    return fmt::format("the definition of {} that is installed here is not the one that {} uses on {} ({}, not {})",
                       endpoint.type_name, endpoint.node.name, endpoint.topic, to_text(type.hash), endpoint.type_hash);
  }
  if (endpoint.abi != 0 && endpoint.abi != type.abi) {
    return fmt::format("{} lays {} out differently in memory: it was built with another version of Tandem",
                       endpoint.node.name, endpoint.type_name);
  }
  return {};
}

void nothing(void *) {}
void copy_nothing(void *, const void *) {}

/// Lives, like every type, as long as the process.
const tandem::MessageType & make_opaque(const tandem::transport::EndpointInfo & endpoint) {
  static std::deque<std::string> names;
  static std::deque<tandem::MessageType> types;
  tandem::MessageType type{};
  if (!parse_hash(endpoint.type_hash, type.hash)) {
    throw CommandError(fmt::format("the type {} of {} has no valid hash: '{}'", endpoint.type_name, endpoint.topic,
                                   endpoint.type_hash));
  }
  type.name = names.emplace_back(endpoint.type_name).c_str();
  type.abi = endpoint.abi;
  type.alignment = 1;
  type.is_fixed_size = true;  // nothing of it will be looked into
  type.construct = nothing;
  type.destroy = nothing;
  type.copy_construct = copy_nothing;
  type.assign = copy_nothing;
  return types.emplace_back(type);
}

template <class Found>
auto value_or_throw(const Found & found) {
  if (!found) {
    throw CommandError(found.error());
  }
  return *found;
}

/// "std_srvs/SetBool" has the folder added.
std::string with_folder(const std::string & name, const char * folder) {
  const std::size_t slash = name.find('/');
  const bool is_short = slash != std::string::npos && name.rfind('/') == slash;
  return is_short ? name.substr(0, slash) + folder + name.substr(slash) : name;
}

}  // namespace

Message::Message(const tandem::MessageType & type)
    : type_(type), memory_(::operator new(std::max<std::size_t>(type.size, 1), std::align_val_t(type.alignment))) {
  type_.construct(memory_);
}

Message::~Message() {
  type_.destroy(memory_);
  ::operator delete(memory_, std::align_val_t(type_.alignment));
}

const tandem::MessageType & sent_type(const std::string & interface) {
  constexpr std::string_view kEvent = "_Event";
  const bool is_event = interface.size() > kEvent.size() &&
                        interface.compare(interface.size() - kEvent.size(), kEvent.size(), kEvent) == 0;
  if (interface.find("/srv/") != std::string::npos && !is_event) {
    return *value_or_throw(tandem::find_service_type(interface))->request;
  }
  if (interface.find("/action/") != std::string::npos) {
    return *action_type(interface).goal;
  }
  return *value_or_throw(tandem::find_message_type(interface));
}

const tandem::ServiceType & service_type(const std::string & name) {
  return *value_or_throw(tandem::find_service_type(with_folder(name, "/srv")));
}

const tandem::ActionType & action_type(const std::string & name) {
  return *value_or_throw(tandem::find_action_type(with_folder(name, "/action")));
}

const tandem::MessageType & installed_type(const tandem::transport::EndpointInfo & endpoint) {
  const tandem::MessageType & type = *value_or_throw(tandem::find_message_type(endpoint.type_name));
  if (const std::string different = difference(type, endpoint); !different.empty()) {
    throw CommandError(different);
  }
  return type;
}

const tandem::MessageType & countable_type(const tandem::transport::EndpointInfo & endpoint) {
  const auto found = tandem::find_message_type(endpoint.type_name);
  return found && difference(**found, endpoint).empty() ? **found : make_opaque(endpoint);
}

bool is_opaque(const tandem::MessageType & type) { return type.construct == nothing; }

}  // namespace ros2cli
