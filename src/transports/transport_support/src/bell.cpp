#include "tandem/transport_support/bell.hpp"

#include <linux/futex.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include <algorithm>
#include <climits>

namespace tandem::transport {

using std::chrono::nanoseconds;
using std::chrono::steady_clock;

namespace {

static_assert(std::atomic<std::uint32_t>::is_always_lock_free, "the kernel looks at the word itself");

/// Bells that nobody uses now. Never destroyed: threads of a middleware may ring while the process ends.
struct Stock {
  std::mutex mutex;
  std::vector<Bell *> bells;
};

Stock & stock() {
  static auto * const instance = new Stock;
  return *instance;
}

Bell * take_bell() {
  Stock & bells = stock();
  const std::lock_guard<std::mutex> lock(bells.mutex);
  if (bells.bells.empty()) {
    return new Bell;
  }
  Bell * const bell = bells.bells.back();
  bells.bells.pop_back();
  return bell;
}

void give_back(Bell * bell) {
  Stock & bells = stock();
  const std::lock_guard<std::mutex> lock(bells.mutex);
  bells.bells.push_back(bell);
}

}  // namespace

void Bell::ring() noexcept {
  count_.fetch_add(1, std::memory_order_seq_cst);        // B1: pairs with the comparison in sleep(); B2
  if (sleepers_.load(std::memory_order_seq_cst) != 0) {  // B1: pairs with fetch_add in sleep()
    syscall(SYS_futex, &count_, FUTEX_WAKE_PRIVATE, INT_MAX, nullptr, nullptr, 0);
  }
}

void Bell::sleep(std::uint32_t seen, nanoseconds timeout) noexcept {
  timespec length{};
  length.tv_sec = static_cast<time_t>(std::chrono::duration_cast<std::chrono::seconds>(timeout).count());
  length.tv_nsec = static_cast<long>((timeout % std::chrono::seconds(1)).count());
  sleepers_.fetch_add(1, std::memory_order_seq_cst);     // B1: pairs with the load in ring()
  if (count_.load(std::memory_order_seq_cst) == seen) {  // B1: pairs with fetch_add in ring()
    syscall(SYS_futex, &count_, FUTEX_WAIT_PRIVATE, seen, timeout < nanoseconds(0) ? nullptr : &length, nullptr, 0);
  }
  sleepers_.fetch_sub(1, std::memory_order_relaxed);
}

void RingingSubscription::set_bell(Bell * bell) noexcept {
  bell_.store(bell, std::memory_order_release);         // pairs with acquire in ring(): a new bell is whole
  std::atomic_thread_fence(std::memory_order_seq_cst);  // W2: pairs with the fence in ring()
}

void RingingSubscription::drop_bell(Bell * bell) noexcept { bell_.compare_exchange_strong(bell, nullptr); }

void RingingSubscription::ring() const noexcept {
  std::atomic_thread_fence(std::memory_order_seq_cst);  // W2: pairs with the fence in set_bell()
  if (Bell * const bell = bell_.load(std::memory_order_acquire)) {
    bell->ring();
  }
}

BellWaitSet::BellWaitSet() : bell_(take_bell()) {}

BellWaitSet::~BellWaitSet() {
  for (const auto & item : attached_) {
    if (const auto subscription = item.lock()) {
      subscription->drop_bell(bell_);
    }
  }
  give_back(bell_);
}

void BellWaitSet::attach(const std::shared_ptr<Subscription> & subscription) {
  const auto ours = std::dynamic_pointer_cast<RingingSubscription>(subscription);
  if (!ours) {
    return;
  }
  {
    const std::lock_guard<std::mutex> lock(mutex_);
    if (!ours->rings(bell_)) {
      std::erase_if(attached_,
                    [&](const auto & item) { return item.lock() == ours; });  // it may have gone and come back
      ours->set_bell(bell_);
      attached_.push_back(ours);
    }
  }
  bell_->ring();  // it may have data already
}

void BellWaitSet::detach(const std::shared_ptr<Subscription> & subscription) {
  if (const auto ours = std::dynamic_pointer_cast<RingingSubscription>(subscription)) {
    ours->drop_bell(bell_);
  }
}

bool BellWaitSet::wait(nanoseconds timeout) {
  const bool is_endless = timeout < nanoseconds(0);
  const auto end = steady_clock::now() + std::min<nanoseconds>(timeout, std::chrono::hours(24 * 365));
  for (;;) {
    const std::uint32_t seen = bell_->count();  // W1: before the look
    if ((woken_.load(std::memory_order_relaxed) && woken_.exchange(false, std::memory_order_relaxed)) || has_data()) {
      return true;
    }
    const nanoseconds left = end - steady_clock::now();
    if (!is_endless && left <= nanoseconds(0)) {
      return false;
    }
    bell_->sleep(seen, is_endless ? timeout : left);
  }
}

void BellWaitSet::wake() {
  woken_.store(true, std::memory_order_relaxed);
  bell_->ring();
}

/// Forgets those that are gone or have moved to another wait-set.
bool BellWaitSet::has_data() {
  const std::lock_guard<std::mutex> lock(mutex_);
  bool found = false;
  std::erase_if(attached_, [&](const std::weak_ptr<RingingSubscription> & item) {
    const auto subscription = item.lock();
    if (!subscription || !subscription->rings(bell_)) {
      return true;
    }
    found = found || subscription->has_data();
    return false;
  });
  return found;
}

}  // namespace tandem::transport
