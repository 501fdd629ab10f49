// What tandem::Vector and tandem::BasicString have in common: three words and the block of message memory they name.
//
//   byte  0  begin   first element
//         8  end     behind the last element
//        16  limit   end of the block
//
// in bytes from the container itself, so that the same 24 bytes are right wherever a process maps them. Without a block
// all three are 0. A string's block has its terminator at `end`. No mode of a compiler or of a library changes this
// layout. (Offsets, not counts: appending then costs what it costs in std, one load, one store and one addition.)
#pragma once

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

/// Containers that grow one by one ask for blocks in steps of this, in bytes.
inline constexpr std::size_t kGrowthStep = 64;

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
      begin_ = end_ = offset_of(allocate_message(count * sizeof(T), alignof(T)));
      limit_ = begin_ + bytes(count);
    }
  }

  RelativeStorage(RelativeStorage && other) noexcept { take(other); }
  RelativeStorage & operator=(RelativeStorage && other) = delete;

  ~RelativeStorage() {
    if (begin_ != 0) {
      free_message(begin(), alignof(T));
    }
  }

  void swap(RelativeStorage & other) noexcept {
    RelativeStorage mine(std::move(*this));
    take(other);
    other.take(mine);
  }

  /// Without a block both are the container itself: a valid empty range, and zero bytes, which end an empty string.
  T * begin() const noexcept { return at(begin_); }
  T * end() const noexcept { return at(end_); }
  bool has_block() const noexcept { return begin_ != 0; }
  bool is_full() const noexcept { return end_ == limit_; }
  std::size_t size() const noexcept { return count(begin_, end_); }
  std::size_t capacity() const noexcept { return count(begin_, limit_); }
  std::size_t spare() const noexcept { return count(end_, limit_); }

  /// \pre size <= capacity()
  void set_size(std::size_t size) noexcept { end_ = begin_ + bytes(size); }
  void set_end(const T * end) noexcept { end_ = offset_of(end); }
  /// \pre !is_full()
  void add_one() noexcept { end_ += bytes(1); }

 private:
  static constexpr long long bytes(std::size_t elements) noexcept {
    return static_cast<long long>(elements * sizeof(T));
  }
  /// Elements between two offsets. A difference of pointers tells the compiler that nothing remains.
  static std::size_t count(long long from, long long to) noexcept {
    const auto as_pointer = [](long long n) { return reinterpret_cast<const T *>(static_cast<std::uintptr_t>(n)); };
    return static_cast<std::size_t>(as_pointer(to) - as_pointer(from));
  }

  // By way of an integer: a compiler takes pointer arithmetic to stay within the object it starts from, and would
  // conclude that the elements of two containers, one moved from the other, cannot be the same.
  T * at(long long offset) const noexcept {
    return reinterpret_cast<T *>(reinterpret_cast<std::uintptr_t>(this) + static_cast<std::uintptr_t>(offset));
  }
  long long offset_of(const void * memory) const noexcept {
    return static_cast<long long>(reinterpret_cast<std::uintptr_t>(memory) - reinterpret_cast<std::uintptr_t>(this));
  }

  /// \pre this has no block.
  void take(RelativeStorage & other) noexcept {
    const long long moved = other.begin_ == 0 ? 0 : offset_of(&other);
    begin_ = std::exchange(other.begin_, 0) + moved;
    end_ = std::exchange(other.end_, 0) + moved;
    limit_ = std::exchange(other.limit_, 0) + moved;
  }

  // `long long`, since elements are `long` where they have 64 bits: the compiler then knows that writing an element
  // does not change these, and a loop over v[i] reads them once.
  long long begin_ = 0;
  long long end_ = 0;
  long long limit_ = 0;
};

static_assert(sizeof(RelativeStorage<char>) == 24 && alignof(RelativeStorage<char>) == 8);

/// A Vector or BasicString of unknown type, as the type support reads it: the offsets, each read once, so that what a
/// faulty peer rewrites meanwhile cannot come between a check and its use. Nothing here reads the block.
///
/// Before data() is used, of a container that a peer has filled: check is_plausible(), then that the block lies where
/// it may, then of a string that it is terminated.
class RawContainer {
 public:
  explicit RawContainer(const void * container) noexcept
      : container_(reinterpret_cast<std::uintptr_t>(container)),
        begin_(word(container, 0)),
        end_(word(container, 1)),
        limit_(word(container, 2)) {}

  bool has_block() const noexcept { return begin_ != 0; }

  /// Where the block starts, and with it the first element; null if there is none.
  const void * data() const noexcept {
    return has_block() ? reinterpret_cast<const void *>(container_ + begin_) : nullptr;
  }
  /// The whole block, with what is spare.
  std::size_t block_bytes() const noexcept { return limit_ - begin_; }
  /// Those that elements or characters use, without a string's terminator.
  std::size_t used_bytes() const noexcept { return end_ - begin_; }

  /// Whether the offsets are those of a container: nothing, or whole elements within a block with room for
  /// `terminators` more (1 for strings).
  bool is_plausible(std::size_t element_size, std::size_t terminators) const noexcept {
    if (!has_block()) {
      return end_ == 0 && limit_ == 0;
    }
    return used_bytes() <= block_bytes() && used_bytes() % element_size == 0 &&
           block_bytes() - used_bytes() >= terminators * element_size;
  }

 private:
  static std::uintptr_t word(const void * container, int index) noexcept {
    return static_cast<std::uintptr_t>(static_cast<const volatile long long *>(container)[index]);
  }

  std::uintptr_t container_;
  std::uintptr_t begin_;
  std::uintptr_t end_;
  std::uintptr_t limit_;
};

/// Makes a container of unknown type one that has this block, of which `used` of `room` bytes are used; null: no block.
/// The block that it had is the caller's.
inline void set_block(void * container, void * block, std::size_t used, std::size_t room) noexcept {
  const auto begin = block == nullptr ? 0
                                      : static_cast<long long>(reinterpret_cast<std::uintptr_t>(block) -
                                                               reinterpret_cast<std::uintptr_t>(container));
  auto * const words = static_cast<long long *>(container);
  words[0] = begin;
  words[1] = begin + static_cast<long long>(used);
  words[2] = begin + static_cast<long long>(room);
}

}  // namespace detail
}  // namespace tandem
