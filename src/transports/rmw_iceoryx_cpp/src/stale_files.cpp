#include "stale_files.hpp"

#include <fcntl.h>
#include <sys/file.h>
#include <unistd.h>

#include <cstdio>
#include <cstdlib>
#include <filesystem>

namespace iceoryx {
namespace {

namespace fs = std::filesystem;
constexpr const char * kPrefix = "tandem_iceoryx_";
constexpr const char * kLock = ".lock";

/// The lock tells, not the process id: another container's processes have other ids.
bool is_stale(const fs::path & lock_file) {
  const int fd = open(lock_file.c_str(), O_RDWR | O_CLOEXEC);
  if (fd < 0) {
    return false;
  }
  const bool free = flock(fd, LOCK_EX | LOCK_NB) == 0;
  close(fd);
  return free;
}

}  // namespace

std::string own_file_name(pid_t process, std::uint64_t random) {
  char text[64];
  std::snprintf(text, sizeof text, "%s%d_%08x", kPrefix, static_cast<int>(process), static_cast<unsigned>(random));
  return text;
}

void remove_stale_files() {
  std::error_code error;
  for (fs::directory_iterator entry("/tmp", error), end; !error && entry != end; entry.increment(error)) {
    const std::string name = entry->path().filename();
    std::error_code ignored;
    if (!name.starts_with(kPrefix) || !name.ends_with(kLock) ||
        fs::file_time_type::clock::now() - fs::last_write_time(entry->path(), ignored) < std::chrono::seconds(10) ||
        ignored || !is_stale(entry->path())) {
      continue;
    }
    const std::string path = entry->path();
    fs::remove(path.substr(0, path.size() - std::string(kLock).size()), ignored);
    fs::remove(path, ignored);
  }
}

}  // namespace iceoryx
