// The message heap of this process: memory that lives in its shared region, so that what is allocated here can be
// published without a copy. One heap per process, made at the first need, never destroyed by static destruction.
#pragma once

#include <cstddef>

namespace tandem {

inline constexpr std::size_t kHeapAlignment = 64;

/// Allocates `size` bytes in the region, aligned to `alignment`, a power of two of at most kHeapAlignment. Private memory,
/// which a publish copies, where no region can be made, or in MessageFunctions::copy for a reader that keeps too many.
/// \return memory owned by the caller, given back with deallocate(); nullptr when there is no room, which is logged.
/// Thread-safe. Locks: one process-local mutex, for small sizes seldom. System calls: only when the heap grows.
void * allocate(std::size_t size, std::size_t alignment = kHeapAlignment) noexcept;

/// As allocate(), but never private memory, and a lack of room is not logged: nullptr when the region is full or absent.
void * allocate_shared_memory(std::size_t size, std::size_t alignment = kHeapAlignment) noexcept;

/// Gives memory of allocate() back; nullptr is allowed. Thread-safe.
void deallocate(void * memory) noexcept;

/// Whether `memory` is the start of a live allocation in the region of at least `size` bytes. Thread-safe.
bool is_shared_allocation(const void * memory, std::size_t size) noexcept;

/// From this size on copy_message() writes past the caches: blocks that are used in turn do not stay in them anyway, and a
/// store that goes through them first reads what it overwrites.
inline constexpr std::size_t kLeastStreamed = std::size_t{4} << 20;

/// As std::memcpy, in the way that suits messages. All of it is written, for whoever is told so by a release, once this
/// returns.
void copy_message(void * to, const void * from, std::size_t size) noexcept;

struct HeapStatistics {
  std::size_t reserved = 0;   ///< bytes of address space of the region
  std::size_t committed = 0;  ///< bytes of the region's file that have memory
  std::size_t in_use = 0;     ///< bytes allocated and not given back, with what rounding up costs
};
HeapStatistics heap_statistics() noexcept;

}  // namespace tandem
