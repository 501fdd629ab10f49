#include "wait_set.hpp"

#include <algorithm>

namespace rmw_iceoryx2 {

using std::chrono::nanoseconds;
using std::chrono::steady_clock;
using tandem::transport::Error;
using tandem::transport::Subscription;

BoardWaitSet::BoardWaitSet(std::shared_ptr<Hub> hub)
    : hub_(std::move(hub)), index_(hub_->take_bell()), bell_((*hub_->board())->bells[index_]) {}

BoardWaitSet::~BoardWaitSet() {
  for (const auto & item : attached_) {
    const auto subscription = item.lock();
    if (subscription && subscription->rings(index_)) {
      subscription->set_bell(0);
    }
  }
  hub_->free_bell(index_);
}

void BoardWaitSet::attach(const std::shared_ptr<Subscription> & subscription) {
  const auto ours = std::dynamic_pointer_cast<Iox2Reception>(subscription);
  if (!ours) {
    return;
  }
  if (&ours->hub() != hub_.get()) {
    throw Error(std::string(kName) + ": a subscription is to be waited for with a wait-set of another context");
  }
  {
    const std::lock_guard<std::mutex> lock(mutex_);
    if (!ours->rings(index_)) {
      ours->set_bell(index_);
      attached_.push_back(ours);
    }
  }
  bell_.ring();  // it may have data already
}

void BoardWaitSet::detach(const std::shared_ptr<Subscription> & subscription) {
  const auto ours = std::dynamic_pointer_cast<Iox2Reception>(subscription);
  if (ours && ours->rings(index_)) {
    ours->set_bell(0);
  }
}

bool BoardWaitSet::wait(nanoseconds timeout) {
  const bool is_endless = timeout < nanoseconds(0);
  const auto end = steady_clock::now() + std::min<nanoseconds>(timeout, std::chrono::hours(24 * 365));
  for (;;) {
    const std::uint32_t seen = bell_.count();  // before the look: what comes after it rings
    if (is_woken_.exchange(false, std::memory_order_acquire) || has_data()) {
      return true;
    }
    const nanoseconds left = end - steady_clock::now();
    if (!is_endless && left <= nanoseconds(0)) {
      return false;
    }
    bell_.sleep(seen, is_endless ? timeout : left);
  }
}

void BoardWaitSet::wake() {
  is_woken_.store(true, std::memory_order_release);
  bell_.ring();
}

/// Forgets those that are gone or have moved to another wait-set.
bool BoardWaitSet::has_data() {
  const std::lock_guard<std::mutex> lock(mutex_);
  bool is_found = false;
  std::erase_if(attached_, [&](const std::weak_ptr<Iox2Reception> & item) {
    const auto subscription = item.lock();
    if (!subscription || !subscription->rings(index_)) {
      return true;
    }
    is_found = is_found || subscription->has_data();
    return false;
  });
  return is_found;
}

}  // namespace rmw_iceoryx2
