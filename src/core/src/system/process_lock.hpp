// The lock of a process, under which all matching and housekeeping runs, as the thread-safety analysis sees it.
#pragma once

#include <unistd.h>

#include <mutex>

#include "system/thread_annotations.hpp"

namespace tandem {

/// Stands for Process::mutex() in annotations. There is one Process at a time, whichever object refers to it.
class TANDEM_CAPABILITY("mutex") ProcessMutex {};
inline ProcessMutex process_mutex;

/// Holds a process's mutex while it lives.
class TANDEM_SCOPED_CAPABILITY ProcessLock {
 public:
  explicit ProcessLock(std::mutex & mutex) TANDEM_ACQUIRE(process_mutex) TANDEM_NO_THREAD_SAFETY_ANALYSIS
      : lock_(mutex) {}
  ~ProcessLock() TANDEM_RELEASE() TANDEM_NO_THREAD_SAFETY_ANALYSIS {}
  ProcessLock(const ProcessLock &) = delete;
  ProcessLock & operator=(const ProcessLock &) = delete;

 private:
  std::unique_lock<std::mutex> lock_;
};

/// For somebody who may find the mutex taken for long: tries for half a second.
class TimedProcessLock {
 public:
  explicit TimedProcessLock(std::mutex & mutex) : lock_(mutex, std::defer_lock) {
    for (int attempt = 0; attempt < 500 && !lock_.try_lock(); ++attempt) {
      usleep(1000);
    }
  }
  bool is_held() const { return lock_.owns_lock(); }
  /// Call it once is_held() was true.
  void assert_held() const TANDEM_ASSERT_CAPABILITY(process_mutex) TANDEM_NO_THREAD_SAFETY_ANALYSIS {}

 private:
  std::unique_lock<std::mutex> lock_;
};

}  // namespace tandem
