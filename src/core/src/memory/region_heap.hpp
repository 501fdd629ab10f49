// The allocator of a region. Allocations of at most kGreatestSmall bytes come from slabs (slab.hpp), larger ones are whole
// pages (page_heap.hpp). Each thread keeps a few small objects of its own in front of it (thread_cache.hpp).
//
// Only the region's owner allocates, so all bookkeeping is ordinary memory. Neither a peer nor a stray pointer into a
// message can damage it. The lowest free object or extent is taken first, which keeps those in use together.
#pragma once

#include <array>
#include <memory>
#include <mutex>
#include <string>

#include "memory/page_heap.hpp"
#include "memory/piece_map.hpp"
#include "memory/region.hpp"
#include "memory/size_class.hpp"
#include "memory/slab.hpp"
#include "tandem/heap.hpp"

namespace tandem {

class ThreadCache;

/// Thread-safe.
class RegionHeap {
 public:
  /// Null when there is no address space for its tables.
  static std::unique_ptr<RegionHeap> create(Region & region);
  ~RegionHeap();

  /// `alignment` is a power of two, at most kHeapAlignment. \return nullptr when there is no room.
  void * allocate(std::size_t size, std::size_t alignment = kHeapAlignment);
  /// False, and nothing happens, when no live allocation starts at `memory`.
  bool deallocate(void * memory);
  /// Whether a live allocation of at least `size` bytes starts at `memory`.
  bool is_live(const void * memory, std::size_t size) const;
  HeapStatistics statistics() const;
  std::size_t in_use() const { return statistics().in_use; }
  /// The log line for an allocation of `size` bytes that found no room.
  std::string shortage(std::size_t size) const;

  // For housekeeping: these two take milliseconds. Other calls give memory to the kernel only when memory is short.
  /// Gives memory back to the kernel that has been idle since the last call.
  void trim();
  /// Gives free memory back to the kernel that exceeds what fragmentation may cost (PageHeap::shed).
  void shed();

  PiLock & mutex() { return mutex_; }  ///< for the fork handlers

  // For the caches of threads.
  PieceMap map() const { return map_; }
  void add(ThreadCache & cache);
  void remove(ThreadCache & cache);
  /// Takes up to `most` objects out of their slabs; is_live() stays false for them. \return how many: 0 when memory is short.
  std::uint32_t take(std::uint32_t size_class, void ** objects, std::uint32_t most);
  /// Puts free objects back into their slabs.
  void give_back(void * const * objects, std::uint32_t count);

 private:
  RegionHeap(Region & region, std::unique_ptr<PageHeap> pages, const PieceMap & map);

  void * take_object(std::uint32_t size_class, PageHeap::Lock & lock);
  Slab * add_slab(std::uint32_t size_class, PageHeap::Lock & lock);
  void remove_slab(Slab * slab);
  void give_back_object(const void * memory);

  std::uint32_t page_of(const void * memory) const;
  std::size_t pages_size(const void * memory) const;

  Region & region_;
  mutable PiLock mutex_;
  std::unique_ptr<PageHeap> pages_;
  PieceMap map_;
  std::array<SlabList, kClasses> with_room_;  ///< of each size class, the slabs that are not full
  std::size_t in_use_ = 0;                    ///< bytes, those in the caches of threads included
  ThreadCache * caches_ = nullptr;
};

}  // namespace tandem
