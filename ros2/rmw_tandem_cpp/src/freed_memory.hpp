// What the C library does with the memory of large messages that were freed.
#pragma once

#include <cstddef>

namespace tandem_rmw {

/// A message of this process has a block of so many bytes. From then on the C library keeps eight such blocks when they are
/// freed, where it would give them back to the kernel and fault them in again for the next message: with 6 MB rclpy spent four
/// fifths of its time on that. Does nothing where the user has set malloc's variables, or with another C library than glibc.
/// Thread-safe.
void keep_freed_memory(std::size_t block);

}  // namespace tandem_rmw
