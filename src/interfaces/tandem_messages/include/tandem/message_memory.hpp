// Where messages live: class-level operator new and delete on the message heap, declared in every generated struct.
#pragma once

#include <cstddef>
#include <cstring>
#include <new>

namespace tandem::detail {

/// Memory of the message heap (tandem/heap.hpp) for `size` bytes, aligned to at least `alignment`, which is a
/// power of two. An alignment beyond the heap's own gives private memory, so such an object is copied on publish.
/// \return memory owned by the caller, given back with free_message() and the same `alignment`.
/// Thread-safe. Errors: std::bad_alloc, or nullptr from try_allocate_message().
void * allocate_message(std::size_t size, std::size_t alignment);
void * try_allocate_message(std::size_t size, std::size_t alignment) noexcept;

/// Gives memory of allocate_message() back; nullptr is allowed. Thread-safe.
void free_message(void * memory, std::size_t alignment) noexcept;

/// As std::memmove, for large amounts: they are copied in the way that suits messages (copy_message() of tandem/heap.hpp).
void copy_large(void * to, const void * from, std::size_t size) noexcept;

/// As std::memmove.
inline void copy_bytes(void * to, const void * from, std::size_t size) noexcept {
  constexpr std::size_t kLarge = std::size_t{1} << 20;
  if (size < kLarge) {
    std::memmove(to, from, size);
  } else {
    copy_large(to, from, size);
  }
}

/// Of messages: a cache line of their own, so that no reader of one waits while its neighbour is written.
inline constexpr std::size_t kDefaultAlignment = 64;

}  // namespace tandem::detail

// A macro, not an empty base class: a message whose first field is a message would have two bases of one type, which
// may not share an address, and the layout would no longer be the one of its fields.
#define TANDEM_MESSAGE_MEMORY                                                                                          \
  static void * operator new(std::size_t size) {                                                                       \
    return ::tandem::detail::allocate_message(size, ::tandem::detail::kDefaultAlignment);                              \
  }                                                                                                                    \
  static void * operator new(std::size_t size, std::align_val_t alignment) {                                           \
    return ::tandem::detail::allocate_message(size, static_cast<std::size_t>(alignment));                              \
  }                                                                                                                    \
  static void * operator new(std::size_t size, const std::nothrow_t &) noexcept {                                      \
    return ::tandem::detail::try_allocate_message(size, ::tandem::detail::kDefaultAlignment);                          \
  }                                                                                                                    \
  static void * operator new(std::size_t size, std::align_val_t alignment, const std::nothrow_t &) noexcept {          \
    return ::tandem::detail::try_allocate_message(size, static_cast<std::size_t>(alignment));                          \
  }                                                                                                                    \
  static void * operator new(std::size_t, void * memory) noexcept { return memory; }                                   \
  static void operator delete(void * memory) noexcept {                                                                \
    ::tandem::detail::free_message(memory, ::tandem::detail::kDefaultAlignment);                                       \
  }                                                                                                                    \
  static void operator delete(void * memory, std::align_val_t alignment) noexcept {                                    \
    ::tandem::detail::free_message(memory, static_cast<std::size_t>(alignment));                                       \
  }                                                                                                                    \
  static void operator delete(void * memory, const std::nothrow_t &) noexcept {                                        \
    ::tandem::detail::free_message(memory, ::tandem::detail::kDefaultAlignment);                                       \
  }                                                                                                                    \
  static void operator delete(void * memory, std::align_val_t alignment, const std::nothrow_t &) noexcept {            \
    ::tandem::detail::free_message(memory, static_cast<std::size_t>(alignment));                                       \
  }                                                                                                                    \
  static void operator delete(void *, void *) noexcept {}                                                              \
  static void * operator new[](std::size_t size) { return operator new(size); }                                        \
  static void * operator new[](std::size_t size, std::align_val_t alignment) { return operator new(size, alignment); } \
  static void * operator new[](std::size_t size, const std::nothrow_t & tag) noexcept {                                \
    return operator new(size, tag);                                                                                    \
  }                                                                                                                    \
  static void * operator new[](std::size_t size, std::align_val_t alignment, const std::nothrow_t & tag) noexcept {    \
    return operator new(size, alignment, tag);                                                                         \
  }                                                                                                                    \
  static void * operator new[](std::size_t, void * memory) noexcept { return memory; }                                 \
  static void operator delete[](void * memory) noexcept { operator delete(memory); }                                   \
  static void operator delete[](void * memory, std::align_val_t alignment) noexcept {                                  \
    operator delete(memory, alignment);                                                                                \
  }                                                                                                                    \
  static void operator delete[](void * memory, const std::nothrow_t & tag) noexcept { operator delete(memory, tag); }  \
  static void operator delete[](void * memory, std::align_val_t alignment, const std::nothrow_t & tag) noexcept {      \
    operator delete(memory, alignment, tag);                                                                           \
  }                                                                                                                    \
  static void operator delete[](void *, void *) noexcept {}
