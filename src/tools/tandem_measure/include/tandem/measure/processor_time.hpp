// The time that threads were on a processor, in ns. One system call each.
#pragma once

#include <sys/time.h>
#include <time.h>

#include <cstdint>

#include "tandem/measure/clock.hpp"

namespace tandem::measure {

inline std::int64_t to_ns(const timespec & time) noexcept { return time.tv_sec * kSecond + time.tv_nsec; }
inline std::int64_t to_ns(const timeval & time) noexcept { return time.tv_sec * kSecond + time.tv_usec * 1000; }

/// Of the calling thread.
inline std::int64_t thread_time_ns() noexcept {
  timespec time{};
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time);
  return to_ns(time);
}

/// Of all threads of this process.
inline std::int64_t process_time_ns() noexcept {
  timespec time{};
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time);
  return to_ns(time);
}

}  // namespace tandem::measure
