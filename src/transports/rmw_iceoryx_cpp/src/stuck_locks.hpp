// Opens locks whose holder was killed.
//
// iceoryx 2.0 keeps a plain mutex in shared memory in each publisher's list of queues. Whoever is killed while it publishes
// leaves it locked, and then RouDi, which wants to clean up behind it, waits for ever, and with it every process that
// starts. So those that live look at the locks of all publishers that they know, and open what is held by a thread that is
// no more.
#pragma once

#include <map>
#include <mutex>

#include "iceoryx_posh/internal/popo/building_blocks/locking_policy.hpp"

namespace iceoryx {

/// Thread-safe.
class StuckLocks {
 public:
  /// Looks at this lock from now on. Its memory stays mapped, whatever becomes of its publisher.
  void add(iox::popo::ThreadSafePolicy * lock);
  /// From now on it opens nothing: somebody takes part whose threads cannot be told to be alive, in another container.
  void disable();

  /// Call it a few times a second. Opens a lock that has been held by a thread that is no more at several looks in a
  /// row. \return how many are held like this still.
  int look();

 private:
  /// How a lock has looked.
  struct Past {
    int holder = 0;  ///< thread id; 0: nobody, or somebody who has not written it yet or has erased it
    int looks = 0;   ///< in a row that it was stuck like this
  };

  std::mutex mutex_;
  std::map<iox::popo::ThreadSafePolicy *, Past> locks_;  ///< guarded by mutex_
  bool is_disabled_ = false;                             ///< guarded by mutex_
};

}  // namespace iceoryx
