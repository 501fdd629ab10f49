// Opens locks whose holder was killed.
//
// iceoryx 2.0 keeps plain mutexes in shared memory: one in each publisher's list of queues, one in each subscriber's
// queue. Whoever is killed while it publishes leaves them locked, and then RouDi, which wants to clean up behind it,
// waits for ever, and with it every process that starts. So those that live look at the locks of peers that have gone,
// and open what is held by a thread that is no more.
#pragma once

#include <chrono>
#include <map>
#include <mutex>
#include <set>

namespace iox::popo {
class ThreadSafePolicy;
}

namespace iceoryx {

/// Thread-safe.
class StuckLocks {
 public:
  /// A lock of this process's own ports, which others take too.
  void add_own(iox::popo::ThreadSafePolicy * lock);
  void remove_own(iox::popo::ThreadSafePolicy * lock);

  /// A lock of another process's port, to be looked at before this one leaves.
  void add_known(iox::popo::ThreadSafePolicy * lock);

  /// Somebody has gone: look at this lock for some seconds, and at the own ones.
  void suspect(iox::popo::ThreadSafePolicy * lock);
  void suspect_own();
  /// Call it a few times a second. Opens a lock that the same thread has held at the last look too, when that thread is
  /// no more. \return how many are held by such a thread still.
  int look();
  /// Before leaving: looks at all that is known until none is held by a thread that is no more.
  void settle();

 private:
  struct Suspicion {
    std::chrono::steady_clock::time_point until;
    int holder = 0;  ///< thread id at the last look
  };
  void suspect_locked(iox::popo::ThreadSafePolicy * lock);

  std::mutex mutex_;
  std::set<iox::popo::ThreadSafePolicy *> own_;                  ///< guarded by mutex_
  std::set<iox::popo::ThreadSafePolicy *> known_;                ///< guarded by mutex_
  std::map<iox::popo::ThreadSafePolicy *, Suspicion> suspects_;  ///< guarded by mutex_
};

}  // namespace iceoryx
