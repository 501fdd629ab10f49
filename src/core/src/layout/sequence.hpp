// Arithmetic on the numbers of messages, which count on past the end of their type and begin again at 0.
//
// Two numbers are compared by their distance, so "before" has a meaning only for those less than kReach apart. What a
// ring compares: the numbers in it and its readers' cursors, which are behind by as much as a reader has stood still. A
// reader that stands still while kReach messages are published takes what it finds for "not yet", and one that stands
// still for a whole lap of 2 * kReach takes a later message for its own. With 64 bits kReach is 2^62: 14,000 years at ten
// million messages a second.
#pragma once

#include <type_traits>

namespace tandem {

/// `Index` is an unsigned type. All of it is exact for any numbers within kReach of each other.
template <class Index>
struct Sequence {
  static_assert(std::is_unsigned_v<Index>);
  using Distance = std::make_signed_t<Index>;

  /// Half of the numbers that a slot can tell apart: it spends a bit on "gone".
  static constexpr Index kReach = static_cast<Index>(Index{1} << (sizeof(Index) * 8 - 2));

  /// What a slot says while message n can be taken, and once it can not. 0, a slot's first content, is neither for the
  /// first messages of a ring that begins at 0.
  static constexpr Index valid(Index n) { return static_cast<Index>(2 * n + 2); }
  static constexpr Index gone(Index n) { return static_cast<Index>(2 * n + 3); }

  /// How far `to` is ahead of `from`; negative if it is behind.
  static constexpr Distance distance(Index to, Index from) { return static_cast<Distance>(to - from); }
  static constexpr bool is_before(Index a, Index b) { return distance(a, b) < 0; }
  static constexpr Index earlier(Index a, Index b) { return is_before(b, a) ? b : a; }
  static constexpr Index later(Index a, Index b) { return is_before(a, b) ? b : a; }
};

}  // namespace tandem
