// Which small pieces of a region live: a byte for each 16 bytes of the region, in ordinary memory that no peer reaches.
//
// The byte at the start of a live piece is its size class + 1; every other byte is 0. So one look tells of any address
// whether a piece is to be freed there and how large it is, whoever keeps it meanwhile.
//
// Invariants
//   M1  A byte is written by the thread that owns the piece at that moment: who takes it out of a cache or a slab, and
//       who frees it. What hands a piece on orders these writes, so all accesses are relaxed.
//   M2  Anybody may read any byte at any time. Of a piece that is allocated or freed in the same moment he reads one or
//       the other.
#pragma once

#include <atomic>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <optional>

#include "memory/region.hpp"
#include "memory/size_class.hpp"

namespace tandem {

/// A view, to be copied freely. Thread-safe.
class PieceMap {
 public:
  using Kind = std::atomic<std::uint8_t>;
  static constexpr std::size_t kGranule = 16;

  /// Nothing when there is no address space (64 KiB for each MiB of the region, touched as needed).
  static std::optional<PieceMap> create(const Region & region);
  /// Frees the map, for all views of it.
  void destroy();

  /// The byte of `memory`; null when no piece can start there, wherever it is.
  Kind * at(const void * memory) const {
    // What is not aligned, or lies before the region, becomes a very large number.
    const auto distance = reinterpret_cast<std::uintptr_t>(memory) - base_;
    const std::uint64_t granule = std::rotr(std::uint64_t{distance}, std::countr_zero(kGranule));
    return granule < granules_ ? kinds_ + granule : nullptr;
  }
  static std::uint8_t kind_of(std::uint32_t size_class) { return static_cast<std::uint8_t>(size_class + 1); }
  /// The class of the live piece that starts at `memory`.
  std::optional<std::uint32_t> class_at(const void * memory) const {
    const Kind * const kind = at(memory);
    const std::uint32_t value = kind != nullptr ? kind->load(std::memory_order_relaxed) : 0U;
    return value != 0 ? std::optional(value - 1) : std::nullopt;
  }

 private:
  PieceMap(const Region & region, Kind * kinds)
      : base_(reinterpret_cast<std::uintptr_t>(region.base())),
        granules_(region.reserved() / kGranule),
        kinds_(kinds) {}

  std::uintptr_t base_;
  std::uint64_t granules_;
  Kind * kinds_;
};

}  // namespace tandem
