// Where the processes of this host share memory.
#pragma once

#include <string>

namespace tandem {

/// TANDEM_SHM_DIR, or /dev/shm/tandem-<effective user id> where it is empty or not set. The folder need not be there, and
/// need not be one that Participant::join() would use. Thread-safe, as long as nobody changes the environment.
std::string shared_memory_folder();

}  // namespace tandem
