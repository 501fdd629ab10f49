// The machine and the moment of a run, recorded beside its figures.
#pragma once

#include <nlohmann/json.hpp>
#include <vector>

namespace bench {

/// Processors that this process may use, in ascending order.
std::vector<int> allowed_cpus();

/// Pins the calling thread; threads made later inherit it. Throws std::runtime_error when that is not allowed.
void pin_to(int cpu);
/// Lets the calling thread run on all processors again, and threads that it makes later.
void unpin();

/// Model, kernel, governor, virtualisation, load, revision, compiler. What cannot be found out is "unknown".
nlohmann::json describe_machine();

/// Ticks that a hypervisor took from this machine, and all ticks, since it started.
struct StolenTicks {
  double stolen = 0;
  double all = 0;
};
StolenTicks stolen_ticks();

}  // namespace bench
