// futex(2) on words that several processes share.
#pragma once

#include <linux/futex.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include <atomic>
#include <chrono>
#include <climits>
#include <cstdint>

namespace tandem {

/// Sleeps while `word` is `expected`, at most `limit`. Returns early on any wake-up or signal.
inline void futex_wait(const std::atomic<std::uint32_t> & word, std::uint32_t expected,
                       std::chrono::nanoseconds limit) {
  timespec time{};
  time.tv_sec = static_cast<time_t>(limit.count() / 1'000'000'000);
  time.tv_nsec = static_cast<long>(limit.count() % 1'000'000'000);
  syscall(SYS_futex, &word, FUTEX_WAIT, expected, &time, nullptr, 0);
}

inline void futex_wake(const std::atomic<std::uint32_t> & word) {
  syscall(SYS_futex, &word, FUTEX_WAKE, INT_MAX, nullptr, nullptr, 0);
}

/// Changes the word, so that whoever is about to sleep on it does not, and wakes those who do.
inline void ring(std::atomic<std::uint32_t> & word) {
  word.fetch_add(1, std::memory_order_seq_cst);
  futex_wake(word);
}

}  // namespace tandem
