// What a process has cost so far.
#pragma once

#include <cstddef>
#include <cstdint>

namespace tandem::measure {

/// Of all threads. Times in ns.
struct Usage {
  std::int64_t user_ns = 0;
  std::int64_t system_ns = 0;
  std::int64_t minor_faults = 0;
  std::int64_t major_faults = 0;
  std::int64_t voluntary_switches = 0;
  std::int64_t involuntary_switches = 0;
  std::int64_t cycles = 0;  ///< 0 without counters
  std::int64_t instructions = 0;

  Usage operator-(const Usage & earlier) const noexcept;
};

/// One system call; two more with hardware counters.
Usage usage_now() noexcept;

/// In KiB; -1 where /proc does not tell.
struct Memory {
  std::int64_t rss_kib = -1;  ///< the greatest so far
  std::int64_t pss_kib = -1;  ///< now
};
Memory memory_now();

}  // namespace tandem::measure
