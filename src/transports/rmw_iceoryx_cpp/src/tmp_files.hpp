// What iceoryx and we have in /tmp, where RouDi and all its processes meet.
#pragma once

#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>

#include <cerrno>
#include <filesystem>
#include <system_error>
#include <vector>

#include "tandem/kit/descriptor.hpp"

namespace iceoryx {

using tandem::transport::Descriptor;

/// To be locked with flock() by who starts, joins or ends RouDi: nobody registers while it ends. None when /tmp cannot be
/// written.
inline Descriptor open_start_lock() {
  constexpr const char * kPath = "/tmp/tandem_roudi.lock";
  const int fd = open(kPath, O_RDWR | O_CLOEXEC);  // without O_CREAT, which a sticky folder refuses for another's file
  if (fd >= 0) {
    return Descriptor(fd);
  }
  Descriptor made(open(kPath, O_RDWR | O_CREAT | O_CLOEXEC, 0666));
  fchmod(made.get(), 0666);  // for other users, whatever the umask is
  return made;
}

/// Of each process that uses iceoryx, whoever's program it is: <socket>.lock.
inline std::vector<std::filesystem::path> lock_files() {
  std::vector<std::filesystem::path> result;
  std::error_code error;
  for (std::filesystem::directory_iterator entry("/tmp", error), end; !error && entry != end; entry.increment(error)) {
    if (entry->path().extension() == ".lock") {
      result.push_back(entry->path());
    }
  }
  return result;
}

/// Whether its process lives. The lock tells, not a process id: another container's processes have other ids.
inline bool is_held(const std::filesystem::path & lock) {
  const Descriptor file(open(lock.c_str(), O_RDONLY | O_CLOEXEC));
  return file ? flock(file.get(), LOCK_EX | LOCK_NB) != 0 : errno != ENOENT;
}

}  // namespace iceoryx
