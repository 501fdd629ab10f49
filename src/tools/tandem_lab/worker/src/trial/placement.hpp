// Processors and priority of this process.
#pragma once

#include "trial/spec.hpp"

namespace lab {

/// Threads made later inherit both. Without the right to them one line on stderr says so, and the run goes on without.
void apply_placement(const Spec & spec);

}  // namespace lab
