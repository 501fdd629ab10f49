#include "tandem/owned_message.hpp"

#include <algorithm>

#include "tandem/message_memory.hpp"

namespace tandem {
namespace {

/// What a generated struct's own operator new and delete use.
std::size_t alignment_of(const MessageType & type) { return std::max(type.alignment, detail::kDefaultAlignment); }

}  // namespace

void MessageDeleter::operator()(void * message) const noexcept {
  type->destroy(message);
  detail::free_message(message, alignment_of(*type));
}

OwnedMessage make_message(const MessageType & type) {
  void * const memory = detail::allocate_message(type.size, alignment_of(type));
  try {
    type.construct(memory);
  } catch (...) {
    detail::free_message(memory, alignment_of(type));
    throw;
  }
  return OwnedMessage(memory, {&type});
}

}  // namespace tandem
