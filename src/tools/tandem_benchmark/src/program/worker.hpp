// A worker process: plays one side of one group's contestants, told when by lines on its stdin.
//
//   connect           answers "connected" once every contestant has found its other sides
//   go NAME WARM_UP SAMPLES BATCH BUDGET_MS
//                     a pong side answers "ready", plays, answers "done"; the ping side plays and answers its
//                     summaries as JSON in one line: {"series": {"samples": …, "p50": …}}
//   otherwise         "error REASON", and the process ends. It also ends with its stdin.
#pragma once

#include <string>

#include "common/contestant.hpp"

namespace bench {

struct WorkerOptions {
  std::string group;
  Role role;
  int cpu = 0;
  bool quick = false;
};

/// \return the exit code.
int run_worker(const WorkerOptions & options);

}  // namespace bench
