// Clang's thread-safety analysis: which lock guards what, checked by `make lint` (-Wthread-safety). Other compilers see
// nothing of it.
#pragma once

#include <mutex>

#if defined(__clang__)
#define TANDEM_ATTRIBUTE(x) __attribute__((x))
#else
#define TANDEM_ATTRIBUTE(x)
#endif

/// A class that can be held, like a mutex.
#define TANDEM_CAPABILITY(name) TANDEM_ATTRIBUTE(capability(name))
/// A class that holds something from its constructor to its destructor.
#define TANDEM_SCOPED_CAPABILITY TANDEM_ATTRIBUTE(scoped_lockable)
/// A member that is touched only while `x` is held.
#define TANDEM_GUARDED_BY(x) TANDEM_ATTRIBUTE(guarded_by(x))
/// A function that is called only while the named ones are held, or only while they are not.
#define TANDEM_REQUIRES(...) TANDEM_ATTRIBUTE(requires_capability(__VA_ARGS__))
#define TANDEM_EXCLUDES(...) TANDEM_ATTRIBUTE(locks_excluded(__VA_ARGS__))
#define TANDEM_ACQUIRE(...) TANDEM_ATTRIBUTE(acquire_capability(__VA_ARGS__))
#define TANDEM_RELEASE(...) TANDEM_ATTRIBUTE(release_capability(__VA_ARGS__))
/// A function after which the analysis takes `x` for held.
#define TANDEM_ASSERT_CAPABILITY(x) TANDEM_ATTRIBUTE(assert_capability(x))
/// A function whose body the analysis cannot follow.
#define TANDEM_NO_THREAD_SAFETY_ANALYSIS TANDEM_ATTRIBUTE(no_thread_safety_analysis)

namespace tandem {

/// std::mutex, as the analysis sees it.
class TANDEM_CAPABILITY("mutex") Mutex {
 public:
  void lock() TANDEM_ACQUIRE() TANDEM_NO_THREAD_SAFETY_ANALYSIS { mutex_.lock(); }
  void unlock() TANDEM_RELEASE() TANDEM_NO_THREAD_SAFETY_ANALYSIS { mutex_.unlock(); }

 private:
  std::mutex mutex_;
};

/// Holds a lock while it lives: std::lock_guard, as the analysis sees it.
template <class Lockable>
class TANDEM_SCOPED_CAPABILITY Guard {
 public:
  explicit Guard(Lockable & lock) TANDEM_ACQUIRE(lock) : lock_(lock) { lock.lock(); }
  ~Guard() TANDEM_RELEASE() { lock_.unlock(); }
  Guard(const Guard &) = delete;
  Guard & operator=(const Guard &) = delete;

 private:
  Lockable & lock_;
};

}  // namespace tandem
