#include "common/processors.hpp"

#include <sched.h>

#include <numeric>
#include <stdexcept>
#include <string>

#include "tandem/measure/placement.hpp"

namespace bench {

void pin_to(int cpu) {
  if (!tandem::measure::run_on({cpu})) {
    throw std::runtime_error("this process may not run on processor " + std::to_string(cpu) + "; choose with --cpus");
  }
}

void unpin() {
  std::vector<int> all(CPU_SETSIZE);
  std::iota(all.begin(), all.end(), 0);
  tandem::measure::run_on(all);
}

}  // namespace bench
