#include "tandem/tools/message_types.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <deque>
#include <new>
#include <string>

#include "tandem/tools/error.hpp"
#include "tandem/type_hash.hpp"
#include "tandem/type_library.hpp"

namespace tandem::tools {
namespace {

/// Empty if messages of the endpoint are messages of the type; else what differs.
std::string difference(const MessageType & type, const transport::EndpointInfo & endpoint) {
  if (!endpoint.type_hash.empty() && endpoint.type_hash != type_hash_text(type.hash)) {
    return fmt::format("the definition of {} that is installed here is not the one that {} uses on {} ({}, not {})",
                       endpoint.type_name, endpoint.node.name, endpoint.topic, type_hash_text(type.hash),
                       endpoint.type_hash);
  }
  if (endpoint.abi != 0 && endpoint.abi != type.abi) {
    return fmt::format("{} lays {} out differently in memory: it was built with another version of Tandem",
                       endpoint.node.name, endpoint.type_name);
  }
  return {};
}

void nothing(const MessageType &, void *) {}
void copy_nothing(const MessageType &, void *, const void *) {}

/// Lives, like every type, as long as the process.
const MessageType & make_opaque(const transport::EndpointInfo & endpoint) {
  static std::deque<std::string> names;
  static std::deque<MessageType> types;
  MessageType type{};
  const auto hash = parse_type_hash(endpoint.type_hash);
  if (!hash) {
    throw Error(fmt::format("the type {} of {} has no valid hash: '{}'", endpoint.type_name, endpoint.topic,
                            endpoint.type_hash));
  }
  type.hash = *hash;
  type.name = names.emplace_back(endpoint.type_name).c_str();
  type.abi = endpoint.abi;
  type.alignment = 1;
  type.is_fixed_size = true;  // nothing of it will be looked into
  type.operations = {nothing, nothing, copy_nothing, copy_nothing};
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

bool is_opaque(const MessageType & type) { return type.operations.construct == nothing; }

}  // namespace tandem::tools
