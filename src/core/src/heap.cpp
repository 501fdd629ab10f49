// The public face of the heap: the region's, or private memory where there is no region.
#include "tandem/heap.hpp"

#include <cstdlib>
#include <string>
#include <utility>

#include "log_later.hpp"
#include "private_memory.hpp"
#include "process.hpp"

namespace tandem {
namespace {

Seldom shortage_line;
Seldom misuse_line;

/// The line waits for a thread that holds no locks.
void complain(Process & process, std::string line) {
  log_later(LogLevel::kError, std::move(line));
  process.wake_housekeeping();
}

}  // namespace

void * allocate_shared_memory(std::size_t size, std::size_t alignment) noexcept {
  Process & process = Process::instance();
  return process.has_region() ? process.heap().allocate(size, alignment) : nullptr;
}

void * allocate(std::size_t size, std::size_t alignment) noexcept {
  Process & process = Process::instance();
  if (process.has_region() && !PrivateMemory::is_wanted()) [[likely]] {
    void * memory = process.heap().allocate(size, alignment);
    // Publishers keep memory for their next messages, and messages for readers that may lose them: all of these would
    // have to go for one that takes most of the room, and it might not fit even then.
    const std::size_t room = process.region().reserved();
    bool at_any_cost = false;
    while (memory == nullptr && size <= (at_any_cost ? room / 2 : room) && process.make_room(at_any_cost)) {
      memory = process.heap().allocate(size, alignment);
      at_any_cost = true;
    }
    if (memory == nullptr && shortage_line.is_due()) [[unlikely]] {
      complain(process, process.heap().shortage(size));
    }
    return memory;
  }
  const std::size_t rounded = (size + kHeapAlignment) / kHeapAlignment * kHeapAlignment;
  return rounded < size ? nullptr : std::aligned_alloc(kHeapAlignment, rounded);
}

void deallocate(void * memory) noexcept {
  if (memory == nullptr) {
    return;
  }
  Process * process = Process::existing();
  if (process != nullptr && process->has_region() && process->region().contains(memory)) [[likely]] {
    if (!process->heap().deallocate(memory) && misuse_line.is_due()) [[unlikely]] {
      complain(*process, "message memory is given back that is not in use: given back twice, or overwritten");
    }
  } else if (!Process::is_inherited(memory)) {
    std::free(memory);
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
