// A lock of this host: one process holds it at a time, and the kernel takes it back however the process ends.
#pragma once

#include <string>
#include <utility>

#include <tl/expected.hpp>

namespace tandem {

/// Why a lock could not be taken.
struct HostLockFailure {
  std::string holder;   ///< id of the process that has it, "unknown" if not written yet; empty: nobody has it
  std::string message;  ///< a sentence with the path of the lock's file
};

/// A held lock. Move-only; destruction removes the file and gives the lock up. Not thread-safe. The lock is shared with
/// the children of fork(2) that do not execute another program: make it after the fork.
class HostLock {
 public:
  /// Takes the lock `name`: of the file <shared_memory_folder()>/<name>.lock, which is made and has the process's id in it.
  /// Makes the folder if need be. Never waits. Fails when another holder has it, or the file cannot be made or written.
  static tl::expected<HostLock, HostLockFailure> hold(const std::string & name);
  /// Whether somebody holds the lock `name`, this process included. False where there is no such file. Makes nothing,
  /// takes nothing, never waits. Thread-safe.
  static bool is_held(const std::string & name);
  /// Whether the last holder of the lock `name` was killed or has crashed, and nobody has taken it since. May be true for a
  /// moment while somebody takes it for the first time. Makes nothing, takes nothing, never waits. Thread-safe.
  static bool is_orphaned(const std::string & name);

  HostLock(HostLock && other) noexcept : path_(std::move(other.path_)), file_(std::exchange(other.file_, -1)) {}
  HostLock & operator=(HostLock && other) noexcept {
    std::swap(path_, other.path_);
    std::swap(file_, other.file_);
    return *this;
  }
  ~HostLock();

 private:
  HostLock(std::string path, int file) : path_(std::move(path)), file_(file) {}

  std::string path_;
  int file_;  ///< its descriptor; -1: moved from
};

}  // namespace tandem
