// Which processors a process of the benchmark runs on.
#pragma once

namespace bench {

/// Pins the calling thread; threads made later inherit it. Throws std::runtime_error when that is not allowed.
void pin_to(int cpu);
/// Lets the calling thread run on all processors again, and threads that it makes later.
void unpin();

}  // namespace bench
