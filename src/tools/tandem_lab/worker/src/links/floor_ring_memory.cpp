#include "links/floor_ring_memory.hpp"

#include <algorithm>
#include <climits>

namespace lab {
namespace {

constexpr std::size_t kRingBytes = std::size_t{32} << 20;
constexpr std::size_t kFewestSlots = 4;

}  // namespace

void SharedBell::ring() {
  count_.fetch_add(1, std::memory_order_seq_cst);
  if (sleepers_.load(std::memory_order_seq_cst) != 0) {
    tandem::measure::futex_wake(count_, INT_MAX);
  }
}

void SharedBell::sleep(std::uint32_t seen, std::chrono::nanoseconds timeout) {
  sleepers_.fetch_add(1, std::memory_order_seq_cst);
  if (count_.load(std::memory_order_seq_cst) == seen) {
    tandem::measure::futex_wait(count_, seen, timeout);
  }
  sleepers_.fetch_sub(1, std::memory_order_relaxed);
}

std::size_t slots_for(std::size_t size) { return std::clamp(kRingBytes / size, kFewestSlots, kSlots); }

}  // namespace lab
