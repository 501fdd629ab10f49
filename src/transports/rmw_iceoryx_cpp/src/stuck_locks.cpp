#include "stuck_locks.hpp"

#include <pthread.h>
#include <signal.h>
#include <unistd.h>

#include <cerrno>

namespace iceoryx {
namespace {

pthread_mutex_t & mutex_of(iox::popo::ThreadSafePolicy * lock) {
  static_assert(sizeof(iox::popo::ThreadSafePolicy) == sizeof(pthread_mutex_t), "the mutex is all that it has");
  return *reinterpret_cast<pthread_mutex_t *>(lock);
}

int holder_of(pthread_mutex_t & mutex) { return __atomic_load_n(&mutex.__data.__owner, __ATOMIC_ACQUIRE); }

bool exists(int thread) { return kill(thread, 0) == 0 || errno != ESRCH; }

/// Who locks writes its number afterwards, and who unlocks erases it before: in between the lock is nobody's for some
/// nanoseconds, or for ever if it was killed there. So that is believed after more looks.
constexpr int kLooksAtHolder = 2;
constexpr int kLooksAtNobody = 5;

bool is_stuck(pthread_mutex_t & mutex, int holder) {
  return holder != 0 ? !exists(holder) : __atomic_load_n(&mutex.__data.__lock, __ATOMIC_ACQUIRE) != 0;
}

/// glibc lets the owner unlock a recursive mutex, so become the owner. Of several that try one succeeds.
bool open(pthread_mutex_t & mutex, int holder) {
  if (!__atomic_compare_exchange_n(&mutex.__data.__owner, &holder, gettid(), false, __ATOMIC_ACQ_REL,
                                   __ATOMIC_ACQUIRE)) {
    return false;
  }
  mutex.__data.__count = 1;
  mutex.__data.__nusers = 1;
  return pthread_mutex_unlock(&mutex) == 0;
}

}  // namespace

void StuckLocks::add(iox::popo::ThreadSafePolicy * lock) {
  const std::lock_guard<std::mutex> guard(mutex_);
  locks_.emplace(lock, Past{});
}

void StuckLocks::disable() {
  const std::lock_guard<std::mutex> guard(mutex_);
  is_disabled_ = true;
}

int StuckLocks::look() {
  const std::lock_guard<std::mutex> guard(mutex_);
  if (is_disabled_) {
    return 0;
  }
  int stuck = 0;
  for (auto & [lock, past] : locks_) {
    pthread_mutex_t & mutex = mutex_of(lock);
    const int holder = holder_of(mutex);
    if (!is_stuck(mutex, holder)) {
      past = {};
      continue;
    }
    past.looks = past.holder == holder ? past.looks + 1 : 1;
    past.holder = holder;
    if (past.looks < (holder != 0 ? kLooksAtHolder : kLooksAtNobody) || !open(mutex, holder)) {
      ++stuck;
    }
  }
  return stuck;
}

}  // namespace iceoryx
