// The kernel's clocks as one number.
#pragma once

#include <time.h>

#include <cstdint>

namespace tandem {

/// Nanoseconds of CLOCK_REALTIME, CLOCK_MONOTONIC, ... No system call on usual machines.
inline std::int64_t now_ns(clockid_t clock) {
  timespec time{};
  clock_gettime(clock, &time);
  return time.tv_sec * std::int64_t{1'000'000'000} + time.tv_nsec;
}

}  // namespace tandem
