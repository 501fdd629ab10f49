// Which pages of a region are whose: extents of whole pages, and which of them have memory behind them.
//
// Invariants, all in ordinary memory that no peer can reach
//   P1  Every page from kHeapOffset on belongs to one extent, free or used. Two free extents never touch.
//   P2  A mark stands at the first page of a used extent and at the first and last page of a free one; nowhere else.
//       (The owner of a used extent may note a slab at each of its pages.)
//   P3  Every page of a used extent that was handed out is committed: the file has memory there. A free page may or may
//       not be.
//   P4  The kernel is asked for memory, and given some, without the lock. The extent concerned is used meanwhile, so
//       nobody else touches its pages or what is noted of them.
// A free extent is found by its size: bins of exact sizes below 32 pages, then sixteen to each doubling.
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <mutex>

#include "memory/region.hpp"
#include "system/pi_lock.hpp"

namespace tandem {

struct Slab;

/// Used under its owner's lock, which is given up for each system call.
class PageHeap {
 public:
  static constexpr std::size_t kPage = 4096;
  using Lock = std::unique_lock<PiLock>;

  /// Null when there is no address space for the tables (6 KiB for each MiB of the region, touched as needed).
  static std::unique_ptr<PageHeap> create(Region & region);
  ~PageHeap();
  PageHeap(const PageHeap &) = delete;
  PageHeap & operator=(const PageHeap &) = delete;

  /// A used extent of `pages` pages with memory behind them. \return its first page; 0 when there is no room. System
  /// calls: where memory has to come from the kernel. Waits where memory is short and some is on its way to the kernel.
  std::uint32_t take(std::uint32_t pages, Lock & lock);
  /// `first` is the start of a used extent.
  void give_back(std::uint32_t first);
  /// The size in pages of the used extent that starts there; 0 when none does.
  std::uint32_t size_of(std::uint32_t first) const { return mark(first).kind == Kind::kUsed ? mark(first).pages : 0; }
  /// The owner's note at a page of a used extent; null when there is none.
  Slab *& slab_at(std::uint32_t page) { return table_[page].slab; }
  Slab * slab_at(std::uint32_t page) const { return table_[page].slab; }

  /// Gives memory of free pages back to the kernel: all that nobody has needed since the call before.
  void trim(Lock & lock);
  /// The same with what exceeds a quarter of the used memory and 64 MiB, so that fragmentation costs no more than that.
  /// For housekeeping: these calls take milliseconds.
  void shed(Lock & lock);
  /// Bytes of memory that the region has, its front included.
  std::size_t committed() const { return committed_ * kPage; }

 private:
  enum class Kind : std::uint8_t { kNone, kUsed, kFree };
  struct Page {
    Slab * slab;
    std::uint32_t pages;  ///< of the extent that begins or, if free, ends here
    std::uint32_t next;   ///< in the bin, if a free extent begins here; 0: none
    std::uint32_t previous;
    Kind kind;
  };
  static constexpr std::uint32_t kBins = 448;

  PageHeap(Region & region, Page * table, std::size_t table_size);
  static std::uint32_t bin_of(std::uint32_t pages);
  const Page & mark(std::uint32_t page) const { return table_[page]; }
  std::uint32_t find(std::uint32_t pages) const;
  std::uint32_t next_bin(std::uint32_t bin) const;
  void insert(std::uint32_t first, std::uint32_t pages);
  void remove(std::uint32_t first);
  std::uint32_t take_free(std::uint32_t pages);
  void use(std::uint32_t extent, std::uint32_t first, std::uint32_t pages);
  std::uint32_t extend(std::uint32_t first, std::uint32_t most);
  void cut(std::uint32_t first, std::uint32_t pages);
  bool commit(std::uint32_t first, std::uint32_t pages, Lock & lock);
  bool commit_unlocked(std::uint32_t first, std::uint32_t pages, Lock & lock);
  void set_committed(std::uint32_t first, std::uint32_t pages, bool committed);
  void give_to_kernel(std::size_t limit, Lock & lock);
  std::uint32_t punch_one(std::size_t limit, Lock & lock);
  std::uint32_t take_committed(std::size_t limit);

  template <class Function>
  void for_words(std::uint32_t first, std::uint32_t pages, Function function) const;
  std::uint32_t count_committed(std::uint32_t first, std::uint32_t pages) const;

  Region & region_;
  const std::uint32_t end_;  ///< pages of the region
  Page * const table_;
  const std::size_t table_size_;
  std::uint64_t * const committed_bits_;  ///< a bit for each page, behind the table
  std::array<std::uint32_t, kBins> bins_{};
  std::array<std::uint64_t, kBins / 64> filled_bins_{};
  std::size_t committed_ = 0;       ///< pages
  std::size_t free_committed_ = 0;  ///< of these, in free extents
  std::size_t idle_ = 0;            ///< the least that free_committed_ was since trim()
  std::uint32_t at_kernel_ = 0;     ///< extents about which the kernel is just being asked (P4)
};

}  // namespace tandem
