// One process of a suite: plays one side of its contestants.
#pragma once

#include "common/suite.hpp"

namespace bench {

/// Pinned to `cpu`. Speaks as main.cpp says. \return the exit code.
int run_worker(const Suite & suite, const Role & role, int cpu);

}  // namespace bench
