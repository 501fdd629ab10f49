#include "memory/thread_cache.hpp"

#include <algorithm>
#include <new>

#include "memory/region_heap.hpp"

namespace tandem {
namespace {

/// Set while a thread runs its last destructors: what these free goes to the heap itself. Not a member of Ending, whose
/// life is over by then.
constinit thread_local bool has_ended = false;

struct Ending {
  Ending() {}
  ~Ending() {
    has_ended = true;
    delete ThreadCache::present();
    ThreadCache::forget();
  }
};

}  // namespace

ThreadCache * ThreadCache::attach(RegionHeap & heap) {
  if (present_ == nullptr && !has_ended) {
    thread_local const Ending ending;
    present_ = new (std::nothrow) ThreadCache(heap);
  }
  return present_;
}

ThreadCache::ThreadCache(RegionHeap & heap) : map_(heap.map()), heap_(heap) { heap.add(*this); }

ThreadCache::~ThreadCache() {
  heap_.remove(*this);
  for (Bin & bin : bins_) {
    heap_.give_back(bin.pieces, bin.count.load(std::memory_order_relaxed));
  }
}

std::size_t ThreadCache::bytes() const {
  std::size_t sum = 0;
  for (std::uint32_t size_class = 0; size_class < kCachedClasses; ++size_class) {
    sum += bins_[size_class].count.load(std::memory_order_relaxed) * size_of_class(size_class);
  }
  return sum;
}

void * ThreadCache::allocate(std::size_t size) {
  for (;;) {
    if (void * piece = take(size)) {
      return piece;
    }
    Bin & bin = bins_[class_of(size)];
    if (bin.count.load(std::memory_order_relaxed) == 0) {
      const std::uint32_t taken = heap_.take(class_of(size), bin.pieces, kAtOnce);
      if (taken == 0) {
        return nullptr;
      }
      bin.count.store(taken, std::memory_order_relaxed);
    }
  }
}

bool ThreadCache::deallocate(void * memory) {
  if (const auto size_class = map_.class_at(memory); size_class && *size_class < kCachedClasses) {
    if (Bin & bin = bins_[*size_class]; bin.count.load(std::memory_order_relaxed) == kDepth) {
      drain(bin);
    }
    return give(memory);
  }
  return heap_.deallocate(memory);
}

/// Gives the pieces back that have been here longest: they are the least likely to be in the processor's cache.
void ThreadCache::drain(Bin & bin) {
  void * oldest[kAtOnce];
  std::copy_n(bin.pieces, kAtOnce, oldest);
  std::copy(bin.pieces + kAtOnce, bin.pieces + kDepth, bin.pieces);
  bin.count.store(kDepth - kAtOnce, std::memory_order_relaxed);
  heap_.give_back(oldest, kAtOnce);
}

}  // namespace tandem
