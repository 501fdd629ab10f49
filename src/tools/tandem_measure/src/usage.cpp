// See usage.hpp.
#include "tandem/measure/usage.hpp"

#include <sys/resource.h>

#include <fstream>
#include <limits>
#include <string>

#include "tandem/measure/counters.hpp"
#include "tandem/measure/processor_time.hpp"

namespace tandem::measure {
namespace {

/// The number after `key` in a file of "Key:   123 kB" lines; -1: not there.
std::int64_t look_up(const char * path, const std::string & key) {
  std::ifstream file(path);
  for (std::string word; file >> word; file.ignore(std::numeric_limits<std::streamsize>::max(), '\n')) {
    std::int64_t value = 0;
    if (word == key && file >> value) return value;
  }
  return -1;
}

}  // namespace

Usage Usage::operator-(const Usage & earlier) const noexcept {
  return {user_ns - earlier.user_ns,
          system_ns - earlier.system_ns,
          minor_faults - earlier.minor_faults,
          major_faults - earlier.major_faults,
          voluntary_switches - earlier.voluntary_switches,
          involuntary_switches - earlier.involuntary_switches,
          cycles - earlier.cycles,
          instructions - earlier.instructions};
}

Usage usage_now() noexcept {
  rusage now{};
  getrusage(RUSAGE_SELF, &now);
  const auto [cycles, instructions] = counters().read();
  return {to_ns(now.ru_utime),
          to_ns(now.ru_stime),
          now.ru_minflt,
          now.ru_majflt,
          now.ru_nvcsw,
          now.ru_nivcsw,
          static_cast<std::int64_t>(cycles),
          static_cast<std::int64_t>(instructions)};
}

// Not ru_maxrss: that begins with what the process that forked this one had.
Memory memory_now() { return {look_up("/proc/self/status", "VmHWM:"), look_up("/proc/self/smaps_rollup", "Pss:")}; }

}  // namespace tandem::measure
