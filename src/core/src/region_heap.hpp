// The allocator of a region: size classes in front of Boost.Interprocess's best fit.
//
// Only the owner allocates, so all bookkeeping of the classes is ordinary memory; the best fit keeps a header of 64 bytes
// in front of each block. Freed blocks stay in their class (most recent first) and are taken from there without a search.
#pragma once

#include <array>
#include <boost/interprocess/mem_algo/rbtree_best_fit.hpp>
#include <boost/interprocess/offset_ptr.hpp>
#include <boost/interprocess/sync/mutex_family.hpp>
#include <mutex>
#include <vector>

#include "region.hpp"
#include "tandem/heap.hpp"

namespace tandem {

/// Thread-safe.
class RegionHeap {
 public:
  explicit RegionHeap(Region & region);
  ~RegionHeap();

  /// \return nullptr when the region is full.
  void * allocate(std::size_t size);
  void deallocate(void * memory);
  bool is_live(const void * memory, std::size_t size) const;
  std::size_t in_use() const;

  std::mutex & mutex() { return mutex_; }  ///< for the fork handlers

 private:
  using BestFit = boost::interprocess::rbtree_best_fit<boost::interprocess::null_mutex_family,
                                                       boost::interprocess::offset_ptr<void>, kHeapAlignment>;
  static constexpr std::size_t kStepsPerOctave = 16;
  static constexpr std::size_t kClasses = kStepsPerOctave * 24;
  static constexpr std::size_t kMaxCached = std::size_t{64} << 20;  ///< bytes kept in classes
  static constexpr std::size_t kMaxCachedBlocks = 256;              ///< per class

  static std::size_t class_of(std::size_t size);
  static std::size_t class_size(std::size_t index);
  void * best_fit(std::size_t size);
  void return_cached();
  std::size_t unit_of(const void * memory) const;

  Region & region_;
  mutable std::mutex mutex_;
  BestFit * best_fit_;
  std::array<std::vector<void *>, kClasses> cached_;
  std::size_t cached_bytes_ = 0;
  std::size_t in_use_ = 0;
  std::uint8_t * starts_;  ///< a bit for each kHeapAlignment bytes of the region: a live allocation starts here
};

}  // namespace tandem
