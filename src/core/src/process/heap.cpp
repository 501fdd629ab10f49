// The public face of the heap: the region's, or private memory where there is no region.
#include "tandem/heap.hpp"

#include <cstdlib>
#include <string>
#include <utility>

#include "memory/thread_cache.hpp"
#include "memory/writable_view.hpp"
#include "process/process.hpp"
#include "system/log_later.hpp"
#include "system/private_memory.hpp"

namespace tandem {
namespace {

RateLimiter shortage_limiter;
RateLimiter misuse_limiter;

/// The line waits for a thread that holds no locks.
void log_and_wake(Process & process, std::string line) {
  log_later(LogLevel::kError, std::move(line));
  process.wake_housekeeping();
}

/// What the calling thread has at hand; nullptr where it has none, or not of such a size.
[[gnu::always_inline]] inline void * take_cached(std::size_t size, std::size_t alignment) {
  ThreadCache * const cache = ThreadCache::present();
  if (cache == nullptr || size > ThreadCache::kGreatest) [[unlikely]] {
    return nullptr;
  }
  return cache->take(aligned_size(size, alignment));
}

/// A thread's first need makes its cache.
void * allocate_in(RegionHeap & heap, std::size_t size, std::size_t alignment) {
  ThreadCache * const cache = size <= ThreadCache::kGreatest ? ThreadCache::attach(heap) : nullptr;
  return cache != nullptr ? cache->allocate(aligned_size(size, alignment)) : heap.allocate(size, alignment);
}

bool deallocate_in(RegionHeap & heap, void * memory) {
  ThreadCache * const cache = ThreadCache::attach(heap);
  return cache != nullptr ? cache->deallocate(memory) : heap.deallocate(memory);
}

[[gnu::noinline]] void * allocate_slowly(std::size_t size, std::size_t alignment) {
  Process & process = Process::instance();
  if (process.has_region() && !PrivateMemory::is_wanted()) [[likely]] {
    void * memory = allocate_in(process.heap(), size, alignment);
    // Publishers keep memory for their next messages, and messages for readers that may lose them: all of these would
    // have to go for one that takes most of the room, and it might not fit even then.
    const std::size_t room = process.region().reserved();
    bool may_drop_messages = false;
    while (memory == nullptr && size <= (may_drop_messages ? room / 2 : room) && process.make_room(may_drop_messages)) {
      memory = allocate_in(process.heap(), size, alignment);
      may_drop_messages = true;
    }
    if (memory == nullptr && shortage_limiter.is_due()) [[unlikely]] {
      log_and_wake(process, process.heap().shortage(size));
    }
    return memory;
  }
  const std::size_t rounded = (size + kHeapAlignment) / kHeapAlignment * kHeapAlignment;
  return rounded < size ? nullptr : std::aligned_alloc(kHeapAlignment, rounded);
}

[[gnu::noinline]] void deallocate_slowly(void * memory) {
  if (memory == nullptr) {
    return;
  }
  Process * process = Process::existing();
  if (process != nullptr && process->has_region() && process->region().contains(memory)) [[likely]] {
    if (!deallocate_in(process->heap(), memory) && misuse_limiter.is_due()) [[unlikely]] {
      log_and_wake(*process, "message memory is given back that is not in use: given back twice, or overwritten");
    }
  } else if (!WritableView::close(memory) && !Process::is_inherited(memory)) {
    std::free(memory);
  }
}

}  // namespace

void * allocate_shared_memory(std::size_t size, std::size_t alignment) noexcept {
  if (void * memory = take_cached(size, alignment)) {
    return memory;
  }
  Process & process = Process::instance();
  return process.has_region() ? allocate_in(process.heap(), size, alignment) : nullptr;
}

void * allocate(std::size_t size, std::size_t alignment) noexcept {
  if (!PrivateMemory::is_wanted()) [[likely]] {
    if (void * memory = take_cached(size, alignment)) [[likely]] {
      return memory;
    }
  }
  return allocate_slowly(size, alignment);
}

void deallocate(void * memory) noexcept {
  if (ThreadCache * cache = ThreadCache::present(); cache == nullptr || !cache->give(memory)) [[unlikely]] {
    deallocate_slowly(memory);
  }
}

bool is_shared_allocation(const void * memory, std::size_t size) noexcept {
  Process * process = Process::existing();
  return process != nullptr && process->has_region() && process->heap().is_live(memory, size);
}

HeapStatistics heap_statistics() noexcept {
  Process * process = Process::existing();
  return process != nullptr && process->has_region() ? process->heap().statistics() : HeapStatistics{};
}

}  // namespace tandem
