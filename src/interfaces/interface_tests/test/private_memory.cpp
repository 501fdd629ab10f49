// The messages' memory from malloc, so that a sanitizer sees every block of it. In place of libtandem_messages.
#include <algorithm>
#include <cstring>

#include "tandem/message_memory.hpp"

namespace tandem::detail {

namespace {

std::align_val_t aligned(std::size_t alignment) { return std::align_val_t{std::max<std::size_t>(alignment, 64)}; }

}  // namespace

void * allocate_message(std::size_t size, std::size_t alignment) { return ::operator new(size, aligned(alignment)); }

void * try_allocate_message(std::size_t size, std::size_t alignment) noexcept {
  return ::operator new(size, aligned(alignment), std::nothrow);
}

void free_message(void * memory, std::size_t alignment) noexcept { ::operator delete(memory, aligned(alignment)); }

void copy_large(void * to, const void * from, std::size_t size) noexcept { std::memmove(to, from, size); }

}  // namespace tandem::detail
