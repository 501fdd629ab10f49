#include "wait_set_body.hpp"

#include <algorithm>
#include <cstdlib>
#include <optional>

#include "clock.hpp"
#include "fence.hpp"
#include "futex.hpp"
#include "process.hpp"

namespace tandem {
namespace {

constexpr std::chrono::nanoseconds kLongestSleep = std::chrono::seconds(1);
constexpr std::chrono::nanoseconds kForEver = std::chrono::hours(24 * 365);  ///< so that the deadline can be computed
constexpr int kLooksPerClock = 8;

std::optional<std::chrono::nanoseconds> wanted_spin() {
  const char * text = std::getenv("TANDEM_SPIN_US");
  if (text == nullptr || *text == '\0') {
    return std::nullopt;
  }
  return std::chrono::microseconds(std::clamp(std::strtol(text, nullptr, 10), 0L, 1000000L));
}

}  // namespace

WaitSetBody::WaitSetBody(Process & process, std::uint32_t bell)
    : process_(process), bell_(bell), policy_(wanted_spin()) {}

void WaitSetBody::attach(const std::shared_ptr<SubscriptionBody> & subscription) {
  if (process_.is_forked_away()) {
    return;
  }
  {
    std::scoped_lock lock(mutex_);
    std::erase_if(subscriptions_, [&](const auto & weak) {
      const auto other = weak.lock();
      return !other || other == subscription;
    });
    subscriptions_.push_back(subscription);
  }
  subscription->set_wait_set(bell_);
  ring(process_.region().bells().bells[bell_].word);  // a sleeper must look at it too
}

void WaitSetBody::detach(const std::shared_ptr<SubscriptionBody> & subscription) {
  if (process_.is_forked_away()) {
    return;
  }
  std::scoped_lock lock(mutex_);
  std::erase_if(subscriptions_, [&](const auto & weak) { return weak.lock() == subscription; });
  if (subscription->wait_set() == bell_) {
    subscription->set_wait_set(kNoWaitSet);
  }
}

void WaitSetBody::close() {
  std::scoped_lock lock(mutex_);
  for (const auto & weak : subscriptions_) {
    if (const auto subscription = weak.lock(); subscription && subscription->wait_set() == bell_) {
      subscription->set_wait_set(kNoWaitSet);
    }
  }
  subscriptions_.clear();
}

void WaitSetBody::wake() {
  if (process_.is_forked_away()) {
    return;
  }
  std::int64_t never = 0;
  woken_.compare_exchange_strong(never, now_ns(CLOCK_REALTIME), std::memory_order_seq_cst);
  ring(process_.region().bells().bells[bell_].word);
}

bool WaitSetBody::is_ready() {
  if (woken_.load(fenced(std::memory_order_relaxed)) != 0) {
    return true;
  }
  std::scoped_lock lock(mutex_);
  return std::any_of(subscriptions_.begin(), subscriptions_.end(), [this](const auto & weak) {
    const auto subscription = weak.lock();
    // One that was moved to another wait-set is that one's business.
    return subscription && subscription->wait_set() == bell_ && subscription->has_data();
  });
}

/// When what has ended a wait was published: of one message, if there are several. Somebody else's word.
std::int64_t WaitSetBody::stamp() const {
  if (const std::int64_t woken = woken_.load(std::memory_order_relaxed); woken != 0) {
    return woken;
  }
  std::scoped_lock lock(mutex_);
  for (const auto & weak : subscriptions_) {
    const auto subscription = weak.lock();
    if (subscription && subscription->wait_set() == bell_ && subscription->has_data()) {
      return subscription->next_stamp();
    }
  }
  return 0;
}

/// Looks again and again, for as long as the policy says. True when something is there.
bool WaitSetBody::spin(Clock::time_point end) {
  const auto limit = Clock::now() + policy_.limit();
  const auto stop = std::min(limit, end);
  do {
    for (int i = 0; i < kLooksPerClock; ++i) {
      cpu_relax();
      if (is_ready()) {
        policy_.spun(true);
        return true;
      }
    }
  } while (Clock::now() < stop);
  if (stop == limit) {
    policy_.spun(false);
  }
  return false;
}

bool WaitSetBody::sleep(Clock::time_point end) {
  auto & bell = process_.region().bells().bells[bell_].word;
  auto & sleeping = process_.region().header().sleeping;
  const std::uint64_t bit = std::uint64_t{1} << bell_;
  bool ready = false;
  while (!ready) {
    const auto left = std::min<std::chrono::nanoseconds>(end - Clock::now(), kLongestSleep);
    if (left.count() <= 0) {
      break;
    }
    const std::uint32_t rung = bell.load(std::memory_order_acquire);
    sleeping.fetch_or(bit, std::memory_order_seq_cst);  // W2
    full_fence();                                       // W3: the flag before the slots; pairs with W0, W1
    ready = is_ready();
    if (!ready) {
      futex_wait(bell, rung, left);
    }
    sleeping.fetch_and(~bit, std::memory_order_relaxed);
    ready = ready || is_ready();
  }
  return ready;
}

/// Nothing is there yet.
bool WaitSetBody::wait_longer(Clock::time_point end) {
  if (policy_.should_spin()) {
    return spin(end) || sleep(end);
  }
  const std::int64_t start = now_ns(CLOCK_REALTIME);  // the clock of the messages' stamps
  const bool ready = sleep(end);
  if (!policy_.is_off()) {
    const std::int64_t now = std::max(now_ns(CLOCK_REALTIME), start);
    if (ready) {
      const std::int64_t published = std::clamp(stamp(), start, now);
      policy_.slept(std::chrono::nanoseconds(published - start), std::chrono::nanoseconds(now - published));
    } else {
      policy_.timed_out(std::chrono::nanoseconds(now - start));
    }
  }
  return ready;
}

bool WaitSetBody::wait(std::chrono::nanoseconds timeout) {
  if (process_.is_forked_away()) {
    return false;
  }
  bool ready = is_ready();
  if (!ready && timeout.count() != 0) {
    ready = wait_longer(Clock::now() + (timeout.count() < 0 ? kForEver : std::min(timeout, kForEver)));
  }
  if (woken_.load(std::memory_order_relaxed) != 0) {
    ready = woken_.exchange(0, std::memory_order_acquire) != 0 || ready;
  }
  return ready;
}

}  // namespace tandem
