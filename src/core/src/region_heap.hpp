// The allocator of a region. Up to kGreatestSmall bytes: slabs of objects of one size, without headers. Beyond that:
// whole pages. In front of it each thread keeps a few small objects of its own (thread_cache.hpp).
//
// Only the owner allocates, so all bookkeeping is ordinary memory: nothing that is written through a stray pointer into
// a message can damage it, and no peer can. Objects and extents are taken as low as possible, which keeps them together.
#pragma once

#include <array>
#include <memory>
#include <mutex>
#include <string>

#include "page_heap.hpp"
#include "piece_map.hpp"
#include "region.hpp"
#include "size_class.hpp"
#include "tandem/heap.hpp"

namespace tandem {

class ThreadCache;

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

  // For the caches of threads.
  PieceMap map() const { return map_; }
  void add(ThreadCache & cache);
  void remove(ThreadCache & cache);
  /// Takes up to `most` objects out of their slabs; they stay free. \return how many: at least one, if there is room.
  std::uint32_t take(std::uint32_t size_class, void ** objects, std::uint32_t most);
  /// Puts free objects back into their slabs.
  void give_back(void * const * objects, std::uint32_t count);

 private:
  RegionHeap(Region & region, std::unique_ptr<PageHeap> pages, const PieceMap & map);

  void * take_object(std::uint32_t size_class, PageHeap::Lock & lock);
  Slab * add_slab(std::uint32_t size_class, PageHeap::Lock & lock);
  void remove_slab(Slab * slab);
  void give_back_object(const void * memory);
  void link(Slab * slab);
  void unlink(Slab * slab);

  std::uint32_t page_of(const void * memory) const;
  std::size_t pages_size(const void * memory) const;

  Region & region_;
  mutable PiLock mutex_;
  std::unique_ptr<PageHeap> pages_;
  PieceMap map_;
  std::array<Slab *, kClasses> with_room_{};  ///< of each class, the slabs that are not full
  std::size_t in_use_ = 0;                    ///< with what threads keep
  ThreadCache * caches_ = nullptr;
};

}  // namespace tandem
