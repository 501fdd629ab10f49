// The allocator of a region. Up to kGreatestSmall bytes: slabs of objects of one size, without headers. Beyond that:
// whole pages.
//
// Only the owner allocates, so all bookkeeping is ordinary memory: nothing that is written through a stray pointer into
// a message can damage it, and no peer can. Objects and extents are taken as low as possible, which keeps them together.
#pragma once

#include <array>
#include <memory>
#include <mutex>
#include <string>

#include "page_heap.hpp"
#include "region.hpp"
#include "tandem/heap.hpp"

namespace tandem {

/// Thread-safe.
class RegionHeap {
 public:
  /// Null when there is no address space for its tables.
  static std::unique_ptr<RegionHeap> create(Region & region);
  ~RegionHeap();

  /// `alignment` is a power of two of at most kHeapAlignment. \return nullptr when there is no room.
  void * allocate(std::size_t size, std::size_t alignment = kHeapAlignment);
  /// False, and nothing happens, when no allocation that lives starts there.
  bool deallocate(void * memory);
  bool is_live(const void * memory, std::size_t size) const;
  // For housekeeping; both take milliseconds. No other call gives memory to the kernel, unless memory is short.
  /// Gives memory that was idle since the call before back to the kernel.
  void trim();
  /// Gives free memory back that is more than fragmentation may cost (PageHeap::shed).
  void shed();
  HeapStatistics statistics() const;
  std::size_t in_use() const { return statistics().in_use; }
  /// What to tell people when there is no room for `size` bytes.
  std::string shortage(std::size_t size) const;

  PiLock & mutex() { return mutex_; }  ///< for the fork handlers

 private:
  static constexpr std::uint32_t kClasses = 64;
  static constexpr std::size_t kGreatestSmall = 16384;

  RegionHeap(Region & region, std::unique_ptr<PageHeap> pages);
  static std::uint32_t class_of(std::size_t size);
  static std::size_t size_of_class(std::uint32_t size_class);

  void * allocate_object(std::uint32_t size_class, PageHeap::Lock & lock);
  Slab * add_slab(std::uint32_t size_class, PageHeap::Lock & lock);
  void remove_slab(Slab * slab);
  void free_object(Slab & slab, std::uint32_t object);
  void link(Slab * slab);
  void unlink(Slab * slab);

  /// The live allocation that starts at `memory`: its slab and object, or its first page; size 0 when there is none.
  struct Place {
    std::size_t size = 0;
    Slab * slab = nullptr;
    std::uint32_t number = 0;
  };
  Place find(const void * memory) const;

  Region & region_;
  mutable PiLock mutex_;
  std::unique_ptr<PageHeap> pages_;
  std::array<Slab *, kClasses> with_room_{};  ///< of each class, the slabs that are not full
  std::size_t in_use_ = 0;
};

}  // namespace tandem
