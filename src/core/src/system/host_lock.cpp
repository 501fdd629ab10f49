#include "tandem/host_lock.hpp"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>

#include "system/file.hpp"
#include "tandem/shared_memory_folder.hpp"

namespace tandem {
namespace {

std::string path_of(const std::string & name) { return shared_memory_folder() + "/" + name + ".lock"; }

File open_lock(const std::string & name) {
  return File(open(path_of(name).c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOFOLLOW));
}

/// Whether the name still means this file: a holder that gave its lock up has removed it.
bool is_current(const File & file, const std::string & path) {
  struct stat mine {};
  struct stat named {};
  return fstat(file.get(), &mine) == 0 && stat(path.c_str(), &named) == 0 && mine.st_ino == named.st_ino;
}

std::string holder_of(const File & file) {
  char text[32] = {};
  const ssize_t size = pread(file.get(), text, sizeof text - 1, 0);
  return size > 0 ? text : "unknown";
}

tl::unexpected<HostLockFailure> failure(const std::string & message, int error) {
  return tl::make_unexpected(
      HostLockFailure{{}, message + ": " + error_text(error) + ". Set TANDEM_SHM_DIR to a directory of yours"});
}

}  // namespace

tl::expected<HostLock, HostLockFailure> HostLock::hold(const std::string & name) {
  mkdir(shared_memory_folder().c_str(), 0700);
  const std::string path = path_of(name);
  File file;
  do {
    file = File(open(path.c_str(), O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0600));
    if (!file) {
      return failure(path + " cannot be made", errno);
    }
    if (!lock(file)) {
      const std::string holder = holder_of(file);
      return tl::make_unexpected(HostLockFailure{holder, path + " is locked by process " + holder});
    }
  } while (!is_current(file, path));
  const std::string process = std::to_string(getpid());
  if (ftruncate(file.get(), 0) != 0 || pwrite(file.get(), process.data(), process.size(), 0) < 0) {
    return failure(path + " cannot be written", errno);
  }
  return HostLock(path, file.release());
}

bool HostLock::is_held(const std::string & name) {
  const File file = open_lock(name);
  return file && is_locked(file);
}

bool HostLock::is_orphaned(const std::string & name) {
  const File file = open_lock(name);
  return file && !is_locked(file);  // who gives it up removes the file first
}

HostLock::~HostLock() {
  if (file_ >= 0) {
    unlink(path_.c_str());  // while it is locked: nobody else has it
    close(file_);
  }
}

}  // namespace tandem
