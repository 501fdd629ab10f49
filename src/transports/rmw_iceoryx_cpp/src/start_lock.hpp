// The lock that starting, joining and ending RouDi are under: nobody registers while it ends.
#pragma once

#include <fcntl.h>
#include <sys/stat.h>

namespace iceoryx {

/// A descriptor to flock(); -1 when /tmp cannot be written.
inline int open_start_lock() {
  constexpr const char * kPath = "/tmp/tandem_roudi.lock";
  int fd = open(kPath, O_RDWR | O_CLOEXEC);  // without O_CREAT, which a sticky folder refuses for another user's file
  if (fd < 0) {
    fd = open(kPath, O_RDWR | O_CREAT | O_CLOEXEC, 0666);
    fchmod(fd, 0666);  // for other users, whatever the umask is
  }
  return fd;
}

}  // namespace iceoryx
