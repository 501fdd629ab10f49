// Where and how urgently a thread runs; threads that it makes later inherit both.
#pragma once

#include <sched.h>

#include <vector>

namespace tandem::measure {

/// The calling thread runs on these processors only. \return false, with errno, when the kernel refuses.
inline bool run_on(const std::vector<int> & cpus) noexcept {
  cpu_set_t set;
  CPU_ZERO(&set);
  for (const int cpu : cpus) CPU_SET(static_cast<std::size_t>(cpu), &set);
  return sched_setaffinity(0, sizeof(set), &set) == 0;
}

/// The calling thread runs with SCHED_FIFO. \param priority 1 to 99. \return false, with errno, when the kernel refuses.
inline bool run_in_real_time(int priority) noexcept {
  sched_param parameters{};
  parameters.sched_priority = priority;
  return sched_setscheduler(0, SCHED_FIFO, &parameters) == 0;
}

/// Why the second one usually fails.
inline constexpr const char * kNoRealTime = "SCHED_FIFO is refused (it needs CAP_SYS_NICE or an rtprio limit)";

}  // namespace tandem::measure
