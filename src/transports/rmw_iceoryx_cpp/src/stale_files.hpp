// The two files that each process has in /tmp for iceoryx: a socket and its lock. They stay when it is killed.
#pragma once

#include <sys/types.h>

#include <cstdint>
#include <string>

namespace iceoryx {

std::string own_file_name(pid_t process, std::uint64_t random);

/// Removes the files of our processes that are no more.
void remove_stale_files();

}  // namespace iceoryx
