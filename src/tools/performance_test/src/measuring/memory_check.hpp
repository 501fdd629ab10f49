// Counting what publishing and receiving threads allocate (--check-memory).
#pragma once

#include <cstdint>

namespace performance_test {

/// From now on, allocations of the calling thread are counted.
void count_allocations_of_this_thread() noexcept;

/// Allocations of the calling thread since the last call; 0 when they are not counted.
std::uint64_t take_allocations() noexcept;

}  // namespace performance_test
