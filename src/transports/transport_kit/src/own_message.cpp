#include "tandem/kit/own_message.hpp"

#include <algorithm>

#include "tandem/message_memory.hpp"

namespace tandem::transport {
namespace {

/// What a generated struct's own operator new and delete use.
std::size_t alignment_of(const MessageType & type) { return std::max(type.alignment, detail::kDefaultAlignment); }

}  // namespace

OwnMessage::OwnMessage(const MessageType & type)
    : type_(type), memory_(detail::allocate_message(type.size, alignment_of(type))) {
  try {
    type.construct(memory_);
  } catch (...) {
    detail::free_message(memory_, alignment_of(type));
    throw;
  }
}

OwnMessage::~OwnMessage() {
  type_.destroy(memory_);
  detail::free_message(memory_, alignment_of(type_));
}

}  // namespace tandem::transport
