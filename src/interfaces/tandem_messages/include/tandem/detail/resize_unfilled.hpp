// Sequences whose elements are about to be written over.
#pragma once

#include <cstddef>

#include "tandem/detail/relative_storage.hpp"
#include "tandem/message_memory.hpp"

namespace tandem::detail {

/// Gives a Vector of unknown type, of elements whose bytes are their value, `bytes` of them, all to be written by the caller. A block
/// that suffices is kept. \return the first element. Thread-safe. Errors: std::bad_alloc.
inline void * resize_unfilled(void * vector, std::size_t bytes, std::size_t alignment) {
  const RawContainer before(vector);
  void * block = const_cast<void *>(before.data());
  std::size_t room = before.block_bytes();
  if (bytes > room) {
    block = allocate_message(bytes, alignment);
    room = bytes;
    free_message(const_cast<void *>(before.data()), alignment);
  }
  set_block(vector, block, bytes, room);
  return block;
}

}  // namespace tandem::detail
