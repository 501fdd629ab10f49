#include "tandem/kit/bell.hpp"

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

int flag_of(RingCounter::Scope scope) { return scope == RingCounter::Scope::kProcess ? FUTEX_PRIVATE_FLAG : 0; }

/// Bells that nobody uses now. Never destroyed: threads of a middleware may ring while the process ends.
struct Stock {
  std::mutex mutex;
  std::vector<Bell *> bells;
};

Stock & stock() {
  static auto * const instance = new Stock;
  return *instance;
}

}  // namespace

WaiterLease lease_bell() {
  Stock & bells = stock();
  const std::lock_guard<std::mutex> lock(bells.mutex);
  Bell * bell = nullptr;
  if (bells.bells.empty()) {
    bell = new Bell;
  } else {
    bell = bells.bells.back();
    bells.bells.pop_back();
  }
  return WaiterLease(bell, [](Waiter * used) {
    const std::lock_guard<std::mutex> back(stock().mutex);
    stock().bells.push_back(static_cast<Bell *>(used));
  });
}

void RingCounter::ring(Scope scope) noexcept {
  count_.fetch_add(1, std::memory_order_seq_cst);        // B1: pairs with the comparison in sleep(); B2
  if (sleepers_.load(std::memory_order_seq_cst) != 0) {  // B1: pairs with fetch_add in sleep()
    syscall(SYS_futex, &count_, FUTEX_WAKE | flag_of(scope), INT_MAX, nullptr, nullptr, 0);
  }
}

void RingCounter::sleep(std::uint32_t seen, nanoseconds timeout, Scope scope) noexcept {
  timespec length{};
  length.tv_sec = static_cast<time_t>(timeout / std::chrono::seconds(1));
  length.tv_nsec = static_cast<long>((timeout % std::chrono::seconds(1)).count());
  const timespec * const limit = timeout < nanoseconds(0) ? nullptr : &length;
  sleepers_.fetch_add(1, std::memory_order_seq_cst);     // B1: pairs with the load in ring()
  if (count_.load(std::memory_order_seq_cst) == seen) {  // B1: pairs with fetch_add in ring()
    syscall(SYS_futex, &count_, FUTEX_WAIT | flag_of(scope), seen, limit, nullptr, 0);
  }
  sleepers_.fetch_sub(1, std::memory_order_relaxed);
}

void RingingSubscription::set_waiter(Waiter * waiter) noexcept {
  const std::lock_guard<std::mutex> lock(changing_);
  waiter_.store(waiter, std::memory_order_release);     // pairs with acquire in ring(): a new waiter is whole
  std::atomic_thread_fence(std::memory_order_seq_cst);  // W2: pairs with the fence in ring()
  waiter_changed(waiter);
}

void RingingSubscription::drop_waiter(Waiter * waiter) noexcept {
  const std::lock_guard<std::mutex> lock(changing_);
  if (waiter_.compare_exchange_strong(waiter, nullptr)) {
    waiter_changed(nullptr);
  }
}

void RingingSubscription::ring() const noexcept {
  std::atomic_thread_fence(std::memory_order_seq_cst);  // W2: pairs with the fence in set_waiter()
  if (Waiter * const waiter = waiter_.load(std::memory_order_acquire)) {
    waiter->ring();
  }
}

BellWaitSet::BellWaitSet(WaiterLease waiter) : waiter_(std::move(waiter)) {}

BellWaitSet::~BellWaitSet() {
  for (const auto & item : attached_) {
    if (const auto subscription = item.lock()) {
      subscription->drop_waiter(waiter_.get());
    }
  }
}

void BellWaitSet::attach(const std::shared_ptr<Subscription> & subscription) {
  const auto ours = std::dynamic_pointer_cast<RingingSubscription>(subscription);
  if (!ours) {
    return;
  }
  {
    const std::lock_guard<std::mutex> lock(mutex_);
    if (!ours->rings(waiter_.get())) {
      std::erase_if(attached_,
                    [&](const auto & item) { return item.lock() == ours; });  // it may have gone and come back
      ours->set_waiter(waiter_.get());
      attached_.push_back(ours);
    }
  }
  waiter_->ring();  // it may have data already
}

void BellWaitSet::detach(const std::shared_ptr<Subscription> & subscription) {
  if (const auto ours = std::dynamic_pointer_cast<RingingSubscription>(subscription)) {
    ours->drop_waiter(waiter_.get());
  }
}

bool BellWaitSet::wait(nanoseconds timeout) {
  const bool is_endless = timeout < nanoseconds(0);
  const auto end = steady_clock::now() + std::min<nanoseconds>(timeout, std::chrono::hours(24 * 365));
  for (;;) {
    const std::uint32_t seen = waiter_->count();  // W1: before the look
    if ((woken_.load(std::memory_order_relaxed) && woken_.exchange(false, std::memory_order_relaxed)) || has_data()) {
      return true;
    }
    const nanoseconds left = end - steady_clock::now();
    if (!is_endless && left <= nanoseconds(0)) {
      return false;
    }
    waiter_->sleep(seen, is_endless ? timeout : left);
  }
}

void BellWaitSet::wake() {
  woken_.store(true, std::memory_order_relaxed);
  waiter_->ring();
}

/// Forgets those that are gone or have moved to another wait-set.
bool BellWaitSet::has_data() {
  const std::lock_guard<std::mutex> lock(mutex_);
  bool found = false;
  std::erase_if(attached_, [&](const std::weak_ptr<RingingSubscription> & item) {
    const auto subscription = item.lock();
    if (!subscription || !subscription->rings(waiter_.get())) {
      return true;
    }
    found = found || subscription->has_data();
    return false;
  });
  return found;
}

}  // namespace tandem::transport
