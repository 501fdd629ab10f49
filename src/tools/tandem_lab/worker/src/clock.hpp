// The clock of all stamps.
#pragma once

#include <time.h>

#include <cstdint>

namespace lab {

constexpr std::int64_t kSecond = 1'000'000'000;

/// CLOCK_MONOTONIC in ns: the same for all processes of a host. System calls: none (vDSO).
inline std::int64_t now_ns() noexcept {
  timespec now{};
  clock_gettime(CLOCK_MONOTONIC, &now);
  return now.tv_sec * kSecond + now.tv_nsec;
}

}  // namespace lab
