// Two threads, one instruction at a time, so that one can be stopped between any two instructions while the other runs: what
// an ordinary stress test meets only when something slow happens to stand there.
#pragma once

#include <cstdint>
#include <functional>

namespace tandem::test {

/// Where the sanitizers, the emulator or the processor forbid it: false.
bool can_step();

struct Part {
  std::function<void()> before;   ///< at full speed
  std::function<void()> stepped;  ///< then this, one instruction at a time
  std::uint64_t stop_at = 0;      ///< after that instruction the other part goes on
};

/// Runs `first` until it stops, then `second` until that stops, then `first` to its end, then `second` to its end. One
/// thread runs at any time; `first` runs on the calling one. Neither may wait for the other.
void interleave(const Part & first, const Part & second);

}  // namespace tandem::test
