// A mutex that one thread takes almost always, without an atomic operation: the first to use it owns it. Others claim it.
//
// Roles      the owner, the first thread that calls lock(); claimants, all others, one at a time by a PiLock
// Invariants
//   L1  The owner is in its section only with inside_ set and after it has seen claimed_ clear.
//   L2  A claimant is in its section only with claimed_ set and after it has seen inside_ clear.
//   L3  Once the lock is revoked claimed_ stays set, so the owner takes the way of all others.
// Orders     B1 store of inside_, B2 load of claimed_    (owner)      no fence, only the compiler's
//            B3 store of claimed_, membarrier, B4 load of inside_  (claimant): one of the two sees the other, because
//               membarrier(2) makes each running thread of the process pass a full fence
//            B5 release of inside_     pairs with B4: the claimant sees what the owner did
//            B6 release of claimed_    pairs with B2: the owner sees what the claimant did
//            B7 release of may_have_owner  pairs with B8: an owner's claimants find membarrier(2) ready
// Model      model/system/bias.pml
//
// A section must be short and make no system call: whoever has to ask the kernel gives the lock up meanwhile
// (ScopedUnlock). Where the owner waits for a claimant, the claimant inherits its priority. Where threads use the lock by
// turns it is revoked after some claims, and is a PiLock from then on.
#pragma once

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <iterator>
#include <vector>

#include "system/fence.hpp"
#include "system/pi_lock.hpp"
#include "system/thread_annotations.hpp"

namespace tandem {

/// Lockable. Not recursive.
class TANDEM_CAPABILITY("mutex") BiasedLock {
 public:
  /// Asks the kernel for membarrier(2), once in each process, and does not wait for it; without it no lock has an owner.
  static void prepare();
  /// Whether locks have owners by now; where the kernel or the sanitizer forbids it, never.
  static bool is_prepared();

  /// Of the calls that users make for each message.
  void lock() TANDEM_ACQUIRE() TANDEM_NO_THREAD_SAFETY_ANALYSIS {
    if (owner_.load(std::memory_order_relaxed) == &known_thread_id) [[likely]] {
      inside_.store(true, std::memory_order_relaxed);  // B1
      std::atomic_signal_fence(std::memory_order_seq_cst);
      if (!claimed_.load(std::memory_order_acquire)) [[likely]] {  // B2
        return;
      }
      inside_.store(false, std::memory_order_release);
    }
    claim(true);
  }
  void unlock() TANDEM_RELEASE() TANDEM_NO_THREAD_SAFETY_ANALYSIS {
    if (!by_claim_) [[likely]] {
      inside_.store(false, std::memory_order_release);  // B5
    } else {
      end_claim();
    }
  }

  /// For all other calls, housekeeping's above all: makes nobody the owner and takes the lock from no owner.
  void lock_unbiased() TANDEM_ACQUIRE() TANDEM_NO_THREAD_SAFETY_ANALYSIS {
    owner_.load(std::memory_order_relaxed) == &known_thread_id ? lock() : claim(false);
  }

  /// Holds it by lock_unbiased().
  class TANDEM_SCOPED_CAPABILITY UnbiasedLock {
   public:
    explicit UnbiasedLock(BiasedLock & lock) TANDEM_ACQUIRE(lock) : lock_(lock) { lock.lock_unbiased(); }
    ~UnbiasedLock() TANDEM_RELEASE() { lock_.unlock(); }
    UnbiasedLock(const UnbiasedLock &) = delete;
    UnbiasedLock & operator=(const UnbiasedLock &) = delete;

   private:
    BiasedLock & lock_;
  };

  /// Unlocks a lock that is held, however it was taken, for as long as this lives: for what may ask the kernel.
  class TANDEM_SCOPED_CAPABILITY ScopedUnlock {
   public:
    explicit ScopedUnlock(BiasedLock & lock) TANDEM_RELEASE(lock) : lock_(lock) { lock.unlock(); }
    ~ScopedUnlock() TANDEM_RELEASE() TANDEM_NO_THREAD_SAFETY_ANALYSIS { lock_.lock_unbiased(); }
    ScopedUnlock(const ScopedUnlock &) = delete;
    ScopedUnlock & operator=(const ScopedUnlock &) = delete;

   private:
    BiasedLock & lock_;
  };

 private:
  void claim(bool is_user) TANDEM_ACQUIRE(mutex_);
  void end_claim() TANDEM_RELEASE(mutex_);
  void wait_for_owner();

  std::atomic<const void *> owner_ = nullptr;  ///< the address of its known_thread_id; written by a claimant
  std::atomic<bool> inside_ = false;           ///< written by the owner
  std::atomic<bool> claimed_ = false;          ///< written by the claimant
  bool by_claim_ = false;                      ///< how the present holder has taken it; it alone writes
  PiLock mutex_;                               ///< of the claimant
  bool revoked_ TANDEM_GUARDED_BY(mutex_) = false;
  std::uint8_t foreign_claims_ TANDEM_GUARDED_BY(mutex_) = 0;  ///< of users who are not the owner
};

/// Sees that a vector has room for `room` elements, and for some more. `lock`, which guards the vector or what is to come
/// into it, is given up meanwhile; nobody else lets the vector grow.
template <class T>
void reserve_unlocked(BiasedLock & lock, std::vector<T> & vector, std::size_t room) TANDEM_REQUIRES(lock) {
  if (vector.capacity() >= room) {
    return;
  }
  std::vector<T> larger;
  {
    const BiasedLock::ScopedUnlock unlock(lock);
    larger.reserve(2 * room);
  }
  std::move(vector.begin(), vector.end(), std::back_inserter(larger));
  vector.swap(larger);
  const BiasedLock::ScopedUnlock unlock(lock);
  std::vector<T>().swap(larger);
}

}  // namespace tandem
