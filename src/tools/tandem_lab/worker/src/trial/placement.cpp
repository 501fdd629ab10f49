// See placement.hpp.
#include "trial/placement.hpp"

#include <fmt/format.h>
#include <sys/prctl.h>

#include <cerrno>
#include <cstring>

#include "tandem/measure/placement.hpp"

namespace lab {
namespace {

using tandem::measure::kNoRealTime;
using tandem::measure::run_in_real_time;
using tandem::measure::run_on;

void warn(const char * field, const char * what) {
  fmt::print(stderr, "lab_peer: field '{}': {}: {}; going on without it\n", field, what, std::strerror(errno));
}

}  // namespace

void apply_placement(const Spec & spec) {
  if (!spec.cpus.empty() && !run_on(spec.cpus)) warn("cpus", "these processors are refused");
  if (spec.priority > 0 && !run_in_real_time(spec.priority)) warn("priority", kNoRealTime);
  // A message that is due is not sent 50 us later because the kernel likes to wake several sleepers at once.
  prctl(PR_SET_TIMERSLACK, 1, 0, 0, 0);
}

}  // namespace lab
