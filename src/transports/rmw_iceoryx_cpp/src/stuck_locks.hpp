// Opens locks whose holder was killed.
//
// iceoryx 2.0 keeps plain mutexes in shared memory: one in each publisher's list of queues, one in each subscriber's
// queue. Whoever is killed while it publishes leaves them locked, and then RouDi, which wants to clean up behind it,
// waits for ever, and with it every process that starts. So those that live look at the locks of all whom they know, and
// open what is held by a thread that is no more.
#pragma once

#include <map>
#include <mutex>

namespace iox::popo {
class ThreadSafePolicy;
}

namespace iceoryx {

/// Thread-safe.
class StuckLocks {
 public:
  void add(iox::popo::ThreadSafePolicy * lock);
  void remove(iox::popo::ThreadSafePolicy * lock);
  /// From now on it opens nothing: somebody takes part whose threads cannot be told to be alive, in another container.
  void disable();

  /// Call it a few times a second. Opens a lock that the same thread has held at the last look too, when that thread is
  /// no more. \return how many are held by such a thread still.
  int look();
  /// Before leaving: looks until none is.
  void settle();

 private:
  std::mutex mutex_;
  std::map<iox::popo::ThreadSafePolicy *, int>
      holders_;               ///< guarded by mutex_: the thread that held it at the last look
  bool is_disabled_ = false;  ///< guarded by mutex_
};

}  // namespace iceoryx
