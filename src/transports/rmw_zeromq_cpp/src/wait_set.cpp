#include "wait_set.hpp"

#include <algorithm>

#include "endpoints.hpp"

namespace rmw_zeromq {

using std::chrono::nanoseconds;
using std::chrono::steady_clock;
using tandem::transport::Subscription;

void WaitSetBody::open(std::uint32_t number) {
  number_ = number;
  hub_poller_.add(poller_->fd(), number_, 0);
}

void WaitSetBody::close() { hub_poller_.remove(poller_->fd()); }

void WaitSetBody::begin() {
  const std::lock_guard<std::mutex> lock(mutex_);
  poller_->is_waiting.store(true, std::memory_order_seq_cst);  // Z2
  hub_poller_.enable(poller_->fd(), number_, false);
}

void WaitSetBody::end(int milliseconds) {
  poller_->serve(milliseconds);
  hub_poller_.enable(poller_->fd(), number_, true);
}

void WaitSetBody::serve(std::uint32_t) {
  const std::lock_guard<std::mutex> lock(mutex_);
  if (!poller_->is_waiting.load(std::memory_order_relaxed)) {
    poller_->serve(0);
  }
}

ZmqWaitSet::ZmqWaitSet(std::shared_ptr<Hub> hub)
    : hub_(std::move(hub)), body_(std::make_shared<WaitSetBody>(*hub_)), number_(Served::enlist(body_)) {
  body_->open(number_);
}

ZmqWaitSet::~ZmqWaitSet() {
  if (hub_->is_foreign()) {
    return;
  }
  for (const auto & item : attached_) {
    if (const auto subscription = item.lock()) {
      subscription->leave(body_->poller());
    }
  }
  Served::strike(number_);
  body_->close();
}

void ZmqWaitSet::attach(const std::shared_ptr<Subscription> & subscription) {
  const auto ours = std::dynamic_pointer_cast<ZmqSubscription>(subscription);
  if (!ours || hub_->is_foreign()) {
    return;
  }
  {
    const std::lock_guard<std::mutex> lock(mutex_);
    if (!ours->body()->is_at(body_->poller())) {
      ours->body()->move_to(body_->poller());
      attached_.push_back(ours->body());
    }
  }
  body_->poller()->ring();  // it may have data already
}

void ZmqWaitSet::detach(const std::shared_ptr<Subscription> & subscription) {
  const auto ours = std::dynamic_pointer_cast<ZmqSubscription>(subscription);
  if (ours && !hub_->is_foreign()) {
    ours->body()->leave(body_->poller());
  }
}

bool ZmqWaitSet::wait(nanoseconds timeout) {
  const bool is_endless = timeout < nanoseconds(0);
  const auto end = steady_clock::now() + std::min<nanoseconds>(timeout, std::chrono::hours(24 * 365));
  if (hub_->is_foreign()) {
    std::this_thread::sleep_until(end);
    return woken_.exchange(false);
  }
  if (is_over()) {
    return true;
  }
  for (;;) {
    body_->begin();
    const bool is_done = is_over();
    const auto left = std::chrono::ceil<std::chrono::milliseconds>(end - steady_clock::now()).count();
    body_->end(is_done ? 0 : is_endless ? -1 : static_cast<int>(std::clamp<std::int64_t>(left, 0, 1'000'000)));
    if (is_done || is_over()) {
      return true;
    }
    if (!is_endless && steady_clock::now() >= end) {
      return false;
    }
  }
}

void ZmqWaitSet::wake() {
  woken_.store(true, std::memory_order_seq_cst);
  body_->poller()->ring();
}

bool ZmqWaitSet::is_over() { return (woken_.load(std::memory_order_seq_cst) && woken_.exchange(false)) || has_data(); }

/// Forgets those that are gone or have moved to another wait-set.
bool ZmqWaitSet::has_data() {
  const std::lock_guard<std::mutex> lock(mutex_);
  bool found = false;
  std::erase_if(attached_, [&](const std::weak_ptr<SubscriptionBody> & item) {
    const auto subscription = item.lock();
    if (!subscription || !subscription->is_at(body_->poller())) {
      return true;
    }
    found = found || subscription->has_data();
    return false;
  });
  return found;
}

}  // namespace rmw_zeromq
