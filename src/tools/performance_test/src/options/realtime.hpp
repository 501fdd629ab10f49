// Real-time options. Without the right to use them one line says so, and the run goes on without.
#pragma once

#include "options/options.hpp"

namespace performance_test {

/// Scheduling and processors of this process; threads started later inherit them.
void apply_realtime(const Options & options);

/// Keeps what is mapped now in memory, when real-time options are used. Called once everything has been touched.
void lock_memory(const Options & options);

}  // namespace performance_test
