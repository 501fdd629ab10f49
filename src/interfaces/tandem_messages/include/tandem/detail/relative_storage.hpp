// What tandem::Vector and tandem::BasicString have in common: three words and the block of message memory they name.
//
//   byte  0  offset    from this object to the first element; 0: there is no block
//         8  size      elements that live, counted by the container
//        16  capacity  elements that the block has room for
//
// The offset is relative, so that the same bytes are right wherever a process maps them. No mode of a compiler or of
// a library changes this layout, and all zero is a valid empty container.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <new>
#include <stdexcept>
#include <utility>

#include "tandem/message_memory.hpp"
#include "tandem/message_type.hpp"

namespace tandem {

namespace detail {

[[noreturn, gnu::cold, gnu::noinline]] inline void throw_length_error() {
  throw std::length_error("Exceeded upper bound");
}

[[noreturn, gnu::cold, gnu::noinline]] inline void throw_out_of_range(const char * what) {
  throw std::out_of_range(what);
}

/// The most elements of T that a container bounded by `bound` may hold.
template <class T>
constexpr std::size_t max_elements(std::size_t bound) noexcept {
  constexpr std::size_t kAddressable = std::numeric_limits<std::ptrdiff_t>::max() / sizeof(T) - 1;
  return bound < kAddressable ? bound : kAddressable;
}

/// The heap gives memory in pieces of this.
inline constexpr std::size_t kHeapStep = 64;

/// Room for `size` elements, and in steps that make appending one by one cheap. \pre size <= most
constexpr std::size_t grown_capacity(std::size_t size, std::size_t capacity, std::size_t most) noexcept {
  const std::size_t doubled = capacity > most / 2 ? most : 2 * capacity;
  return size > doubled ? size : doubled;
}

/// Owns a block and frees it; knows nothing of the elements in it. Thread-safety: as a plain struct.
template <class T>
class RelativeStorage {
 public:
  RelativeStorage() noexcept = default;

  /// Room for `count` elements. Errors: std::bad_alloc.
  explicit RelativeStorage(std::size_t count) {
    if (count != 0) {
      point_at(allocate_message(count * sizeof(T), alignof(T)));
      capacity_ = count;
    }
  }

  RelativeStorage(RelativeStorage && other) noexcept { take(other); }
  RelativeStorage & operator=(RelativeStorage && other) = delete;

  ~RelativeStorage() {
    if (offset_ != 0) {
      free_message(block(), alignof(T));
    }
  }

  void swap(RelativeStorage & other) noexcept {
    RelativeStorage mine(std::move(*this));
    take(other);
    other.take(mine);
  }

  T * data() const noexcept { return offset_ == 0 ? nullptr : block(); }

  /// \pre capacity() != 0. Spares the test for it.
  T * block() const noexcept { return at(offset_); }

  /// The block, or zeroes within this object: what an empty string ends with.
  T * data_or_zero() const noexcept {
    if (offset_ != 0) {
      return block();
    }
    if constexpr (sizeof(T) != 1) {
      std::atomic_signal_fence(std::memory_order_seq_cst);  // size_ is about to be read as another type
    }
    return at(static_cast<long long>(sizeof offset_));
  }

  std::size_t size() const noexcept { return static_cast<std::size_t>(size_); }
  std::size_t capacity() const noexcept { return static_cast<std::size_t>(capacity_); }
  void set_size(std::size_t size) noexcept { size_ = size; }

 private:
  // By way of an integer: a compiler takes pointer arithmetic to stay within the object it starts from, and would
  // conclude that the elements of two containers, one moved from the other, cannot be the same.
  T * at(long long offset) const noexcept {
    return reinterpret_cast<T *>(reinterpret_cast<std::uintptr_t>(this) + static_cast<std::uintptr_t>(offset));
  }

  void point_at(const void * memory) noexcept {
    offset_ = static_cast<long long>(reinterpret_cast<std::uintptr_t>(memory) - reinterpret_cast<std::uintptr_t>(this));
  }

  /// \pre this has no block.
  void take(RelativeStorage & other) noexcept {
    if (other.offset_ != 0) {
      point_at(other.block());
      size_ = std::exchange(other.size_, 0);
      capacity_ = std::exchange(other.capacity_, 0);
      other.offset_ = 0;
    } else {
      offset_ = 0;
      size_ = 0;
      capacity_ = 0;
    }
  }

  // `long long`, since elements are `long` where they have 64 bits: the compiler then knows that writing an element
  // does not change these, and a loop over v[i] reads them once.
  long long offset_ = 0;
  unsigned long long size_ = 0;
  unsigned long long capacity_ = 0;
};

static_assert(sizeof(RelativeStorage<char>) == 24 && alignof(RelativeStorage<char>) == 8);

}  // namespace detail
}  // namespace tandem
