// The bodies of the messages' operator new and delete: the one place that ties them to the heap of tandem_core.
#include "tandem/message_memory.hpp"

#include <cstdint>
#include <cstring>

#include "tandem/heap.hpp"

namespace tandem::detail {

void * try_allocate_message(std::size_t size, std::size_t alignment) noexcept {
  if (alignment > kHeapAlignment) {
    return ::operator new (size, std::align_val_t{alignment}, std::nothrow);
  }
  return allocate(size, alignment);
}

void * allocate_message(std::size_t size, std::size_t alignment) {
  void * memory = try_allocate_message(size, alignment);
  if (memory == nullptr) {
    throw std::bad_alloc();
  }
  return memory;
}

void free_message(void * memory, std::size_t alignment) noexcept {
  if (alignment > kHeapAlignment) {
    ::operator delete (memory, std::align_val_t{alignment});
  } else {
    deallocate(memory);
  }
}

void copy_large(void * to, const void * from, std::size_t size) noexcept {
  const auto target = reinterpret_cast<std::uintptr_t>(to);
  const auto source = reinterpret_cast<std::uintptr_t>(from);
  const bool is_overlapping = target < source + size && source < target + size;
  if (is_overlapping) {
    std::memmove(to, from, size);
  } else {
    copy_message(to, from, size);
  }
}

}  // namespace tandem::detail
