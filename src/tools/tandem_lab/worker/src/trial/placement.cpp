// See placement.hpp.
#include "trial/placement.hpp"

#include <fmt/format.h>
#include <sched.h>
#include <sys/prctl.h>

#include <cerrno>
#include <cstring>

namespace lab {
namespace {

void warn(const char * field, const char * what) {
  fmt::print(stderr, "lab_peer: field '{}': {}: {}; going on without it\n", field, what, std::strerror(errno));
}

}  // namespace

void apply_placement(const Spec & spec) {
  if (!spec.cpus.empty()) {
    cpu_set_t cpus;
    CPU_ZERO(&cpus);
    for (const int cpu : spec.cpus) CPU_SET(static_cast<std::size_t>(cpu), &cpus);
    if (sched_setaffinity(0, sizeof(cpus), &cpus) != 0) warn("cpus", "these processors are refused");
  }
  if (spec.priority > 0) {
    sched_param parameters{};
    parameters.sched_priority = spec.priority;
    if (sched_setscheduler(0, SCHED_FIFO, &parameters) != 0) {
      warn("priority", "SCHED_FIFO is refused (it needs CAP_SYS_NICE or an rtprio limit)");
    }
  }
  // A message that is due is not sent 50 us later because the kernel likes to wake several sleepers at once.
  prctl(PR_SET_TIMERSLACK, 1, 0, 0, 0);
}

}  // namespace lab
