// An agent (agent.hpp) to which bad things are done. Commands beyond an agent's:
//
//   arm SHORTAGE NUMBER one|all   disarm             calls to the kernel fail; answers how many have
//   limit NAME VALUE              unlimit NAME       nofile, as, fsize, nproc, memlock
//   become USER                   forget_rights      another user; the same without privileges
//   fds  mappings  committed  reserved               what it has
//   log                                              the lines that it has logged since the last time, or "none"
//
// What the agent cannot do, as publish with a publisher that was refused, is answered by "impossible ...".
#pragma once

#include <string>
#include <vector>

namespace tandem::test {

int run_subject();

/// Open descriptors of a process, and mappings.
std::size_t descriptors_of(int pid);
std::size_t mappings_of(int pid);

}  // namespace tandem::test
