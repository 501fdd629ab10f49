// A slab: pages of the region's heap that hold objects of one size, side by side and without headers.
//
// All bookkeeping is ordinary memory. Neither class is thread-safe: RegionHeap uses them under its lock.
#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>

namespace tandem {

/// `free` has a bit for each object that is free, `free_words` one for each word of `free` that is not zero.
struct Slab {
  static constexpr std::size_t kLeastBytes = std::size_t{64} << 10;
  static constexpr std::size_t kLeastObjects = 8;

  std::uint32_t first_page;
  std::uint32_t size_class;
  std::uint32_t objects;
  std::uint32_t live = 0;  ///< objects that are in use
  Slab * next = nullptr;   ///< in its SlabList
  Slab * previous = nullptr;
  std::uint64_t free_words = 0;
  std::uint64_t free[64] = {};

  bool is_full() const { return live == objects; }
  bool is_free(std::uint32_t object) const { return (free[object / 64] >> object % 64 & 1) != 0; }
  void set_free(std::uint32_t object) {
    free[object / 64] |= std::uint64_t{1} << object % 64;
    free_words |= std::uint64_t{1} << object / 64;
  }
  /// Removes the lowest free object from the bitmap and returns it. \pre it is not full
  std::uint32_t pop() {
    const auto word = static_cast<std::uint32_t>(std::countr_zero(free_words));
    const auto bit = static_cast<std::uint32_t>(std::countr_zero(free[word]));
    free[word] &= free[word] - 1;
    if (free[word] == 0) {
      free_words &= free_words - 1;
    }
    return word * 64 + bit;
  }
};

/// The slabs of one size class that are not full. Owns nothing.
class SlabList {
 public:
  Slab * first() const { return first_; }
  bool has_one() const { return first_ != nullptr && first_->next == nullptr; }

  void push_front(Slab * slab) {
    slab->previous = nullptr;
    slab->next = first_;
    if (first_ != nullptr) {
      first_->previous = slab;
    }
    first_ = slab;
  }
  /// \pre the slab is in this list
  void remove(Slab * slab) {
    if (slab->next != nullptr) {
      slab->next->previous = slab->previous;
    }
    (slab->previous != nullptr ? slab->previous->next : first_) = slab->next;
    slab->next = nullptr;
    slab->previous = nullptr;
  }

 private:
  Slab * first_ = nullptr;
};

}  // namespace tandem
