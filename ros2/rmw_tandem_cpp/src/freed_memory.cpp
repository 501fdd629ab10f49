#include "freed_memory.hpp"

#include <malloc.h>

#include <algorithm>
#include <atomic>
#include <bit>
#include <cstdlib>
#include <string_view>

namespace tandem_rmw {

#if defined(__GLIBC__)

namespace {

constexpr std::size_t kSmallest = 1 << 20;  ///< glibc's own rules keep what is smaller
constexpr std::size_t kLargest = 32 << 20;  ///< larger blocks are always mapped and unmapped
constexpr std::size_t kKept = 8;            ///< rclpy has three of each message, and a program some that it works on

bool has_user_chosen() {
  const char * const tunables = std::getenv("GLIBC_TUNABLES");
  return std::getenv("MALLOC_TRIM_THRESHOLD_") != nullptr || std::getenv("MALLOC_MMAP_THRESHOLD_") != nullptr ||
         (tunables != nullptr && std::string_view(tunables).find("glibc.malloc.") != std::string_view::npos);
}

}  // namespace

void keep_freed_memory(std::size_t block) {
  static std::atomic<std::size_t> largest{has_user_chosen() ? kLargest : kSmallest};
  std::size_t known = largest.load(std::memory_order_relaxed);
  if (block <= known || known == kLargest) return;
  const std::size_t size = std::min(std::bit_ceil(block), kLargest);
  while (known < size) {
    if (!largest.compare_exchange_weak(known, size, std::memory_order_relaxed)) continue;
    mallopt(M_MMAP_THRESHOLD, static_cast<int>(kLargest));
    mallopt(M_TRIM_THRESHOLD, static_cast<int>(kKept * size));
    return;
  }
}

#else

void keep_freed_memory(std::size_t) {}

#endif

}  // namespace tandem_rmw
