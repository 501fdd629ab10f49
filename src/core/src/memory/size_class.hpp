// The sizes of small pieces: sixteen classes 16 bytes apart, then eight to each doubling.
#pragma once

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>

namespace tandem {

inline constexpr std::uint32_t kClasses = 64;
inline constexpr std::size_t kGreatestSmall = 16384;

/// \pre 1 <= size <= kGreatestSmall. A multiple of 64 bytes is in a class of such a multiple.
constexpr std::uint32_t class_of(std::size_t size) {
  if (size <= 256) {
    return static_cast<std::uint32_t>((size - 1) / 16);
  }
  const auto octave = static_cast<std::uint32_t>(std::bit_width(size - 1)) - 9;
  return 8 + 8 * octave + static_cast<std::uint32_t>((size - 1) >> (octave + 5));
}

constexpr std::size_t size_of_class(std::uint32_t size_class) {
  if (size_class < 16) {
    return std::size_t{16} * (size_class + 1);
  }
  const std::uint32_t octave = (size_class - 16) / 8;
  return std::size_t{9 + (size_class - 16) % 8} << (octave + 5);
}

static_assert(class_of(kGreatestSmall) == kClasses - 1 && size_of_class(kClasses - 1) == kGreatestSmall);

/// `size` for an `alignment`, a power of two of at most kHeapAlignment: a piece of that size is so aligned.
constexpr std::size_t aligned_size(std::size_t size, std::size_t alignment) {
  return (std::max<std::size_t>(size, 1) + alignment - 1) & ~(alignment - 1);
}

}  // namespace tandem
