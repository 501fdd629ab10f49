// What a thread keeps of free small pieces, so that it allocates and frees them without a lock or an atomic operation.
//
// A piece that lies here is free for all the world: the region's map (piece_map.hpp) says so. The slab that it comes
// from counts it as taken. All but bytes() is for the thread that owns the cache.
#pragma once

#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>

#include "memory/piece_map.hpp"
#include "memory/size_class.hpp"

namespace tandem {

class RegionHeap;

class alignas(64) ThreadCache {
 public:
  static constexpr std::size_t kGreatest = 1024;  ///< bytes of a piece

  explicit ThreadCache(RegionHeap & heap);
  /// What is in it goes back to the heap.
  ~ThreadCache();
  ThreadCache(const ThreadCache &) = delete;
  ThreadCache & operator=(const ThreadCache &) = delete;

  /// The calling thread's own; null before attach().
  static ThreadCache * present() { return present_; }
  /// The calling thread's own, made now, and destroyed when the thread ends. Null when it ends just now, or no memory is
  /// left. \pre `heap` outlives the thread.
  static ThreadCache * attach(RegionHeap & heap);
  /// In a forked child: what was inherited is the parent's.
  static void forget() { present_ = nullptr; }

  // Without a call, so that they need no stack.
  /// \return nullptr when it has none. \pre 1 <= size <= kGreatest
  void * take(std::size_t size) {
    const std::uint32_t size_class = class_of(size);
    Bin & bin = bins_[size_class];
    const std::uint32_t count = bin.count.load(std::memory_order_relaxed);
    if (count == 0) [[unlikely]] {
      return nullptr;
    }
    bin.count.store(count - 1, std::memory_order_relaxed);
    void * const piece = bin.pieces[count - 1];
    PieceMap::Kind & kind = *map_.at(piece);
    // It lives already if two threads freed it in the same moment: then it is kept twice, and handed out once.
    if (kind.load(std::memory_order_relaxed) != 0) [[unlikely]] {
      return nullptr;
    }
    kind.store(PieceMap::kind_of(size_class), std::memory_order_relaxed);
    return piece;
  }
  /// Frees a piece. False, and nothing happens, when there is no room for it, or no live piece of such a size starts there.
  bool give(void * memory) {
    PieceMap::Kind * const kind = map_.at(memory);
    if (kind == nullptr) [[unlikely]] {
      return false;
    }
    const std::uint32_t size_class = kind->load(std::memory_order_relaxed) - 1U;
    if (size_class >= kCachedClasses) [[unlikely]] {
      return false;
    }
    Bin & bin = bins_[size_class];
    const std::uint32_t count = bin.count.load(std::memory_order_relaxed);
    if (count == kDepth) [[unlikely]] {
      return false;
    }
    kind->store(0, std::memory_order_relaxed);
    bin.pieces[count] = memory;
    bin.count.store(count + 1, std::memory_order_relaxed);
    return true;
  }

  /// The same, with the heap behind it. \return nullptr when there is no room.
  void * allocate(std::size_t size);
  /// False, and nothing happens, when no live piece starts there.
  bool deallocate(void * memory);

  /// What the pieces have together. For all threads.
  std::size_t bytes() const;

  // Of the heap's list.
  ThreadCache * next = nullptr;
  ThreadCache * previous = nullptr;

 private:
  static constexpr std::uint32_t kDepth = 31;   ///< with the number, a bin has four cache lines
  static constexpr std::uint32_t kAtOnce = 16;  ///< pieces that go to and from the heap
  static constexpr std::uint32_t kCachedClasses = class_of(kGreatest) + 1;
  struct Bin {
    std::atomic<std::uint32_t> count = 0;
    void * pieces[kDepth];
  };

  void drain(Bin & bin);

  const PieceMap map_;
  RegionHeap & heap_;
  std::array<Bin, kCachedClasses> bins_;

  [[gnu::tls_model("initial-exec")]] static inline constinit thread_local ThreadCache * present_ = nullptr;
};

}  // namespace tandem
