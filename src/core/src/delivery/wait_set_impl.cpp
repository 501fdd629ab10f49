#include "delivery/wait_set_impl.hpp"

#include <algorithm>
#include <cstdlib>
#include <optional>

#include "process/process.hpp"
#include "system/clock.hpp"
#include "system/fence.hpp"
#include "system/futex.hpp"

namespace tandem {
namespace {

constexpr std::chrono::nanoseconds kForEver = std::chrono::hours(24 * 365);  ///< so that the deadline can be computed
constexpr std::chrono::nanoseconds kLongestSleepWithoutBells = std::chrono::seconds(1);
constexpr int kLooksPerClock = 8;

std::optional<std::chrono::nanoseconds> wanted_spin() {
  const char * text = std::getenv("TANDEM_SPIN_US");
  if (text == nullptr || *text == '\0') {
    return std::nullopt;
  }
  return std::chrono::microseconds(std::clamp(std::strtol(text, nullptr, 10), 0L, 1000000L));
}

}  // namespace

WaitSetImpl::WaitSetImpl(Process & process, std::uint32_t bell)
    : process_(process), bell_(bell), policy_(wanted_spin()) {
  process_.region().header().watching.fetch_or(std::uint64_t{1} << bell_, std::memory_order_seq_cst);
}

BellPage::Bell & WaitSetImpl::place() const { return process_.region().bells().bells[bell_]; }

void WaitSetImpl::attach(const std::shared_ptr<SubscriptionImpl> & subscription, std::uint64_t key) {
  if (process_.is_forked_away()) {
    return;
  }
  {
    const Guard lock(mutex_);
    const auto [number, is_new] = numbers_.try_emplace(subscription.get(), static_cast<std::uint32_t>(members_.size()));
    const std::uint32_t index = number->second;
    if (is_new) {
      members_.push_back({subscription, key});
      ready_.reserve(members_.capacity());
    }
    members_[index].subscription = subscription;  // there may have been another one in its place
    members_[index].key = key;
    subscription->set_wait_set(bell_);  // before its lanes are read: who gets a lane later hints at every lane
    subscription->visit_hints([&](std::uint32_t hint) TANDEM_REQUIRES(mutex_) {
      auto & members = by_hint_[hint];
      if (std::find(members.begin(), members.end(), index) == members.end()) {
        members.push_back(index);
      }
    });
    full_fence();  // publishers that did not see the wait-set yet left no hint, but their messages are seen now
    if (subscription->look_at_all()) {
      enlist(index);
    }
  }
  ring(place().word);  // a sleeper must look again
}

void WaitSetImpl::detach(const std::shared_ptr<SubscriptionImpl> & subscription) {
  if (process_.is_forked_away()) {
    return;
  }
  const Guard lock(mutex_);  // it stays a member until all are looked at: it may come back soon
  if (subscription->wait_set() == bell_) {
    subscription->set_wait_set(kNoWaitSet);
  }
}

void WaitSetImpl::close() {
  const Guard lock(mutex_);
  process_.region().header().watching.fetch_and(~(std::uint64_t{1} << bell_), std::memory_order_relaxed);
  for (const Member & member : members_) {
    if (const auto subscription = member.subscription.lock(); subscription && subscription->wait_set() == bell_) {
      subscription->set_wait_set(kNoWaitSet);
    }
  }
  members_.clear();
  numbers_.clear();
  ready_.clear();
  for (auto & members : by_hint_) {
    members.clear();
  }
}

void WaitSetImpl::wake() {
  if (process_.is_forked_away()) {
    return;
  }
  std::int64_t never = 0;
  woken_.compare_exchange_strong(never, now_ns(CLOCK_REALTIME), std::memory_order_seq_cst);
  // As W0 and W1: who is not seen to sleep sees woken_ behind W3.
  if ((process_.region().header().sleeping.load(std::memory_order_seq_cst) >> bell_ & 1) != 0) {
    ring(place().word);
  }
}

void WaitSetImpl::look() {
  {
    const Guard lock(mutex_);
    full_fence();
    look_at_all();
    if (ready_.empty()) {
      return;
    }
  }
  leave_hint(place(), kEveryLane);
  ring(place().word);
}

/// When what has ended a wait was published: of one message, if there are several. Somebody else's word.
std::int64_t WaitSetImpl::stamp() {
  if (const std::int64_t woken = woken_.load(std::memory_order_relaxed); woken != 0) {
    return woken;
  }
  const Guard lock(mutex_);
  const auto subscription = first_ready(1);
  return subscription != nullptr ? subscription->next_stamp() : 0;
}

// ---- waiting -------------------------------------------------------------------------------------------------------

/// Looks again and again, for as long as the policy says. True when something is there.
bool WaitSetImpl::spin(Clock::time_point end) {
  const auto limit = Clock::now() + policy_.limit();
  const auto stop = std::min(limit, end);
  do {
    for (int i = 0; i < kLooksPerClock; ++i) {
      cpu_relax();
      if ((woken_.load(std::memory_order_relaxed) != 0 || has_hints()) && is_ready()) {
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

bool WaitSetImpl::sleep(Clock::time_point end) {
  auto & bell = place().word;
  auto & sleeping = process_.region().header().sleeping;
  const std::uint64_t bit = std::uint64_t{1} << bell_;
  bool ready = false;
  while (!ready) {
    const auto now = Clock::now();
    if (now >= end) {
      break;
    }
    const std::uint32_t rung = bell.load(std::memory_order_acquire);
    sleeping.fetch_or(bit, std::memory_order_seq_cst);  // W2
    full_fence();  // W3: the flag before the hints; pairs with W1 and what precedes it
    ready = is_ready();
    if (!ready) {
      // Without bells the word is in memory that housekeeping replaces: nobody rings there afterwards.
      const bool has_bells = process_.region().has_bells();
      futex_wait(bell, rung,
                 has_bells ? end - now : std::min<std::chrono::nanoseconds>(end - now, kLongestSleepWithoutBells));
    }
    sleeping.fetch_and(~bit, std::memory_order_relaxed);
    ready = ready || is_ready();
  }
  return ready;
}

/// Nothing is there yet.
bool WaitSetImpl::wait_longer(Clock::time_point end) {
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

bool WaitSetImpl::wait(std::chrono::nanoseconds timeout) {
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
