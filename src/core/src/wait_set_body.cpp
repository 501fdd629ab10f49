#include "wait_set_body.hpp"

#include <algorithm>
#include <cstdlib>

#include "fence.hpp"
#include "futex.hpp"
#include "process.hpp"

namespace tandem {
namespace {

constexpr std::chrono::nanoseconds kLongestSleep = std::chrono::seconds(1);
constexpr long kDefaultSpin = 30;  ///< microseconds: about what a sleep and a wake-up cost

std::chrono::nanoseconds spin_limit() {
  long limit = kDefaultSpin;
  if (const char * text = std::getenv("TANDEM_SPIN_US"); text != nullptr && *text != '\0') {
    limit = std::clamp(std::strtol(text, nullptr, 10), 0L, 1000000L);
  }
  return std::chrono::microseconds(limit);
}

}  // namespace

WaitSetBody::WaitSetBody(Process & process, std::uint32_t bell)
    : process_(process), bell_(bell), spin_limit_(spin_limit()) {}

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
  woken_.store(true, std::memory_order_release);
  ring(process_.region().bells().bells[bell_].word);
}

bool WaitSetBody::is_ready() {
  if (woken_.load(fenced(std::memory_order_relaxed))) {
    return true;
  }
  std::scoped_lock lock(mutex_);
  return std::any_of(subscriptions_.begin(), subscriptions_.end(), [this](const auto & weak) {
    const auto subscription = weak.lock();
    // One that was moved to another wait-set is that one's business.
    return subscription && subscription->wait_set() == bell_ && subscription->has_data();
  });
}

/// While messages come faster than a sleep would take, looking again is cheaper.
bool WaitSetBody::spin() {
  if (gap_ >= spin_limit_) {
    return false;
  }
  const auto end = Clock::now() + spin_limit_;
  do {
    for (int i = 0; i < 16; ++i) {
      cpu_relax();
    }
    if (is_ready()) {
      return true;
    }
  } while (Clock::now() < end);
  return false;
}

void WaitSetBody::note_arrival() {
  if (spin_limit_.count() == 0) {
    return;
  }
  const auto now = Clock::now();
  const auto gap = std::min<std::chrono::nanoseconds>(now - last_arrival_, std::chrono::seconds(1));
  gap_ = (gap_ * 3 + gap) / 4;
  last_arrival_ = now;
}

bool WaitSetBody::wait(std::chrono::nanoseconds timeout) {
  if (process_.is_forked_away()) {
    return false;
  }
  auto & bell = process_.region().bells().bells[bell_].word;
  auto & sleeping = process_.region().header().sleeping;
  const std::uint64_t bit = std::uint64_t{1} << bell_;
  const auto start = timeout.count() > 0 ? Clock::now() : Clock::time_point{};
  bool ready = is_ready() || (timeout.count() != 0 && spin());
  while (!ready && timeout.count() != 0) {
    auto left = kLongestSleep;
    if (timeout.count() > 0) {
      left = std::min<std::chrono::nanoseconds>(left, timeout - (Clock::now() - start));
      if (left.count() <= 0) {
        break;
      }
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
  if (woken_.load(std::memory_order_relaxed)) {
    ready = woken_.exchange(false, std::memory_order_acquire) || ready;
  }
  if (ready) {
    note_arrival();
  }
  return ready;
}

}  // namespace tandem
