// The message heap of this process: memory that lives in its shared region, so that what is allocated here can be
// published without a copy. One heap per process, made at the first need, never destroyed by static destruction.
#pragma once

#include <cstddef>

namespace tandem {

/// Allocates `size` bytes aligned to kHeapAlignment in the region. Where no region can be made (no shared memory
/// directory) or it is full for an ordinary `new`, the memory is private and a publish copies it.
/// \return memory owned by the caller, given back with deallocate(); nullptr when there is none at all.
/// Thread-safe. Locks: one process-local mutex. System calls: only when the heap grows.
void * allocate(std::size_t size) noexcept;

/// As allocate(), but never private memory: nullptr when the region is full or absent.
void * allocate_shared_memory(std::size_t size) noexcept;

/// Gives memory of allocate() back; nullptr is allowed. Thread-safe.
void deallocate(void * memory) noexcept;

/// Whether `memory` is the start of a live allocation in the region of at least `size` bytes. Thread-safe.
bool is_shared_allocation(const void * memory, std::size_t size) noexcept;

inline constexpr std::size_t kHeapAlignment = 64;

struct HeapStatistics {
  std::size_t reserved = 0;   ///< bytes of address space of the region
  std::size_t committed = 0;  ///< bytes of the region's file
  std::size_t in_use = 0;     ///< bytes allocated and not given back
};
HeapStatistics heap_statistics() noexcept;

}  // namespace tandem
