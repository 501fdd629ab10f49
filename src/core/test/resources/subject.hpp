// What is done to a user of the core, or asked of it, besides what all of them do: functions for Station::call().
#pragma once

#include <sys/resource.h>

#include "faults.hpp"
#include "station.hpp"

namespace tandem::test {

/// From now on calls to the kernel fail: faults.hpp.
void arm(User & user, Shortage shortage, unsigned number, bool lasting);
/// \return how many have failed.
unsigned disarm(User & user);

/// Of setrlimit(2): RLIMIT_NOFILE and so on. \return whether that is possible.
bool limit(User & user, int resource, std::uint64_t value);
bool unlimit(User & user, int resource);
/// Another user of the machine; or the same one without privileges.
bool become(User & user, unsigned id);
bool forget_rights(User & user);
bool lock_all_memory(User & user);

std::size_t descriptors(User & user);
std::size_t mappings(User & user);
/// Bytes of its region.
std::size_t committed(User & user);
std::size_t reserved(User & user);

/// Open descriptors of a process, and mappings of the shared memory.
std::size_t descriptors_of(int pid);
std::size_t mappings_of(int pid);

}  // namespace tandem::test
