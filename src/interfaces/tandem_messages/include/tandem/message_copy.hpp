// A copy of a message that leaves its large sequences where they are.
#pragma once

#include <cstddef>
#include <functional>

#include "tandem/owned_message.hpp"

namespace tandem {

/// A copy of a message of variable size in the message heap, but for its sequences of `least` bytes and more whose
/// elements are of fixed size: these get the block that `share(block, size)` returns, which holds the same bytes and is
/// freed as memory of the message heap is.
/// \return null when there is no such sequence, or `share` returned nullptr for one: then all had better be copied.
/// Thread-safe. Errors: std::bad_alloc.
OwnedMessage copy_sharing(const MessageType & type, const void * message, std::size_t least,
                          const std::function<void *(const void * block, std::size_t size)> & share);

}  // namespace tandem
