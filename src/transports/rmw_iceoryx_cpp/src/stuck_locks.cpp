#include "stuck_locks.hpp"

#include <pthread.h>
#include <signal.h>
#include <unistd.h>

#include <cerrno>
#include <thread>

#include "iceoryx_posh/internal/popo/building_blocks/locking_policy.hpp"

namespace iceoryx {
namespace {

constexpr auto kSuspicion = std::chrono::seconds(10);

pthread_mutex_t & mutex_of(iox::popo::ThreadSafePolicy * lock) {
  static_assert(sizeof(iox::popo::ThreadSafePolicy) == sizeof(pthread_mutex_t), "the mutex is all that it has");
  return *reinterpret_cast<pthread_mutex_t *>(lock);
}

int holder_of(pthread_mutex_t & mutex) { return __atomic_load_n(&mutex.__data.__owner, __ATOMIC_ACQUIRE); }

bool exists(int thread) { return kill(thread, 0) == 0 || errno != ESRCH; }

/// glibc lets the owner unlock a recursive mutex, so become the owner. Of several that try one succeeds.
bool open(pthread_mutex_t & mutex, int holder) {
  if (!__atomic_compare_exchange_n(&mutex.__data.__owner, &holder, gettid(), false, __ATOMIC_ACQ_REL,
                                   __ATOMIC_ACQUIRE)) {
    return false;
  }
  mutex.__data.__count = 1;
  return pthread_mutex_unlock(&mutex) == 0;
}

}  // namespace

void StuckLocks::add_own(iox::popo::ThreadSafePolicy * lock) {
  const std::lock_guard<std::mutex> guard(mutex_);
  own_.insert(lock);
}

void StuckLocks::remove_own(iox::popo::ThreadSafePolicy * lock) {
  const std::lock_guard<std::mutex> guard(mutex_);
  own_.erase(lock);
}

void StuckLocks::suspect(iox::popo::ThreadSafePolicy * lock) {
  const std::lock_guard<std::mutex> guard(mutex_);
  suspect_locked(lock);
}

void StuckLocks::add_known(iox::popo::ThreadSafePolicy * lock) {
  const std::lock_guard<std::mutex> guard(mutex_);
  known_.insert(lock);
}

void StuckLocks::settle() {
  suspect_own();
  {
    const std::lock_guard<std::mutex> guard(mutex_);
    for (auto * lock : known_) {
      suspect_locked(lock);
    }
  }
  constexpr int kLooks = 50;
  for (int i = 0; i < kLooks && look() > 0; ++i) {
    std::this_thread::sleep_for(std::chrono::milliseconds(20));
  }
}

void StuckLocks::suspect_own() {
  const std::lock_guard<std::mutex> guard(mutex_);
  for (auto * lock : own_) {
    suspect_locked(lock);
  }
}

void StuckLocks::suspect_locked(iox::popo::ThreadSafePolicy * lock) {
  suspects_[lock].until = std::chrono::steady_clock::now() + kSuspicion;
}

int StuckLocks::look() {
  const std::lock_guard<std::mutex> guard(mutex_);
  int stuck = 0;
  for (auto item = suspects_.begin(); item != suspects_.end();) {
    pthread_mutex_t & mutex = mutex_of(item->first);
    const int holder = holder_of(mutex);
    const bool is_stuck = holder != 0 && !exists(holder);
    if (is_stuck && !(holder == item->second.holder && open(mutex, holder))) {
      ++stuck;
    }
    item->second.holder = holder;
    item = std::chrono::steady_clock::now() > item->second.until ? suspects_.erase(item) : std::next(item);
  }
  return stuck;
}

}  // namespace iceoryx
