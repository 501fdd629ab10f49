// The memory that an outlet shares with its inlets, and the bells on which they sleep.
//
// Layout: Ring, then `slots` payloads. The outlet writes everything but Slot::owing and the bells' counts.
//   R1  A slot whose `owing` is 0 is the outlet's; it sets one bit for each reader, then publishes the slot's number in
//       order[n % kSlots] and n + 1 in `published` (release, pairs with the readers' acquire).
//   R2  A reader clears its bit when it is done with the payload (release, pairs with the outlet's acquire of `owing`).
//   R3  Each message that a reader has not taken owes it a slot, so order[] is not overtaken: it has as many places.
//   R4  The lowest free slot is used first: a ping-pong stays in the same cache lines.
#pragma once

#include <sched.h>

#include <array>
#include <atomic>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <utility>

#include "tandem/kit/roster.hpp"
#include "tandem/measure/shared_memory.hpp"

namespace lab {

using tandem::measure::SharedMemory;

constexpr std::size_t kSlots = 16;
constexpr std::size_t kReaders = 32;

/// A futex word that counts rings, shared by processes. Whoever sleeps on it has looked at count() first, then for news.
class SharedBell {
 public:
  void ring();
  std::uint32_t count() const { return count_.load(std::memory_order_acquire); }
  void sleep(std::uint32_t seen, std::chrono::nanoseconds timeout);

 private:
  std::atomic<std::uint32_t> count_;     ///< seq_cst against sleepers_: one of the two sides sees the other
  std::atomic<std::uint32_t> sleepers_;  ///< too many after a death: costs system calls, nothing else
};

struct ReaderEntry {
  std::atomic<std::uint32_t> taken;  ///< 1: what follows is valid
  tandem::transport::Gid gid;
  std::uint64_t first;  ///< the first message for it
};

struct Slot {
  alignas(64) std::atomic<std::uint32_t> owing;
};

struct Ring {
  alignas(64) std::atomic<std::uint64_t> published;
  alignas(64) SharedBell space;
  alignas(64) std::array<std::atomic<std::uint32_t>, kSlots> order;
  std::array<Slot, kSlots> slots;
  std::array<ReaderEntry, kReaders> entries;
};

/// Busy until `done` or the time is over. After a while others may run: there may be more pollers than processors.
template <class Done>
void spin(std::chrono::nanoseconds timeout, const Done & done) {
  const auto begin = std::chrono::steady_clock::now();
  for (int i = 1; !done(); ++i) {
#ifdef __x86_64__
    __builtin_ia32_pause();
#endif
    if (i % 64 != 0) {
      continue;
    }
    const auto spent = std::chrono::steady_clock::now() - begin;
    if (spent >= timeout) {
      return;
    }
    if (spent > std::chrono::microseconds(20)) {
      sched_yield();
    }
  }
}

/// Fewer for large messages.
std::size_t slots_for(std::size_t size);

/// A Ring with its payloads.
class RingMemory {
 public:
  RingMemory(SharedMemory memory, std::size_t size) : memory_(std::move(memory)), stride_(stride_of(size)) {}
  static std::size_t stride_of(std::size_t size) { return (size + 63) / 64 * 64; }
  static std::size_t bytes_for(std::size_t slots, std::size_t size) { return kPayloads + slots * stride_of(size); }
  Ring * operator->() const { return reinterpret_cast<Ring *>(memory_.data()); }
  std::byte * payload(std::size_t slot) const { return memory_.data() + kPayloads + slot * stride_; }

 private:
  static constexpr std::size_t kPayloads = (sizeof(Ring) + 4095) / 4096 * 4096;
  const SharedMemory memory_;
  const std::size_t stride_;
};

}  // namespace lab
