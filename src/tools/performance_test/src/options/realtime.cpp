// See realtime.hpp.
#include "options/realtime.hpp"

#include <fmt/format.h>
#include <malloc.h>
#include <sys/mman.h>

#include <cerrno>
#include <cstdio>
#include <cstring>

#include "tandem/measure/placement.hpp"

namespace performance_test {
namespace {

void refuse(const char * option, const char * what) {
  fmt::print(stderr, "perf_test: {}: {}: {}; going on without it\n", option, what, std::strerror(errno));
}

}  // namespace

void apply_realtime(const Options & options) {
  using namespace tandem::measure;  // NOLINT: of this function
  if (options.realtime_priority > 0 && !run_in_real_time(static_cast<int>(options.realtime_priority))) {
    refuse("--use-rt-prio", kNoRealTime);
  }
  std::vector<int> cpus;
  for (int i = 0; i < 64; ++i) {
    if ((options.realtime_cpus >> i & 1) != 0) cpus.push_back(i);
  }
  if (!cpus.empty() && !run_on(cpus)) refuse("--use-rt-cpus", "this set of CPUs is refused");
}

void lock_memory(const Options & options) {
  if (options.realtime_priority == 0 && options.realtime_cpus == 0) return;
  if (mlockall(MCL_CURRENT) != 0)
    refuse("real time", "memory cannot be locked (it needs CAP_IPC_LOCK or a memlock limit)");
  // Freed memory stays mapped, and large blocks come from it too.
  mallopt(M_TRIM_THRESHOLD, -1);
  mallopt(M_MMAP_MAX, 0);
}

}  // namespace performance_test
