#include "tandem/tools/message_types.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <deque>
#include <new>
#include <string>
#include <string_view>

#include "tandem/tools/error.hpp"
#include "tandem/type_library.hpp"

namespace tandem::tools {
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
std::string difference(const MessageType & type, const transport::EndpointInfo & endpoint) {
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
const MessageType & make_opaque(const transport::EndpointInfo & endpoint) {
  static std::deque<std::string> names;
  static std::deque<MessageType> types;
  MessageType type{};
  if (!parse_hash(endpoint.type_hash, type.hash)) {
    throw Error(fmt::format("the type {} of {} has no valid hash: '{}'", endpoint.type_name, endpoint.topic,
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

}  // namespace

Message::Message(const MessageType & type)
    : type_(type), memory_(::operator new(std::max<std::size_t>(type.size, 1), std::align_val_t(type.alignment))) {
  type_.construct(memory_);
}

Message::~Message() {
  type_.destroy(memory_);
  ::operator delete(memory_, std::align_val_t(type_.alignment));
}

const MessageType & installed_type(const transport::EndpointInfo & endpoint) {
  const auto found = find_message_type(endpoint.type_name);
  if (!found) {
    throw Error(found.error());
  }
  const MessageType & type = **found;
  if (const std::string different = difference(type, endpoint); !different.empty()) {
    throw Error(different);
  }
  return type;
}

const MessageType & countable_type(const transport::EndpointInfo & endpoint) {
  const auto found = find_message_type(endpoint.type_name);
  return found && difference(**found, endpoint).empty() ? **found : make_opaque(endpoint);
}

bool is_opaque(const MessageType & type) { return type.construct == nothing; }

}  // namespace tandem::tools
