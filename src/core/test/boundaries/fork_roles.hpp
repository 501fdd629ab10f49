// What fork_test.cpp and the processes that fork for it agree on.
#pragma once

#include "harness.hpp"

namespace tandem::test {

constexpr int kWaysToEnd = 7;
constexpr int kGenerations = 4;

/// Joining starts a thread. The emulator cannot do that in the child of a process that had several.
inline bool may_join_after_fork() { return !is_emulated(); }

}  // namespace tandem::test
