// Writers and readers that do everything at once: publish, take, keep messages for random times, open and close their
// endpoints with random settings, and are stopped, killed and started again. Every message is checked whole, more than once.
#pragma once

#include <cstdint>
#include <string>

#include "shared_counters.hpp"

namespace tandem::test {

struct Storm {
  std::uint64_t reuses = 0;  ///< it ends once so many blocks were written again after somebody had read them
  unsigned writers = 2;
  unsigned readers = 3;
  bool in_threads = false;  ///< of this process: then nobody is killed
  bool any_fault_ends_it = false;
  unsigned seed = 0;
  std::string counters;  ///< path of its file
};

/// What became of it, besides what the counters say.
struct StormEnd {
  std::uint64_t killed = 0;
  std::uint64_t stopped = 0;
  std::uint64_t broken = 0;  ///< processes that ended by themselves and not well
};

StormEnd run_storm(const Storm & storm);

}  // namespace tandem::test
