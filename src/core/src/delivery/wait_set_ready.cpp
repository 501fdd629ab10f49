// Which subscriptions of a wait-set have data.
#include <algorithm>
#include <bit>

#include "delivery/wait_set_impl.hpp"
#include "process/process.hpp"
#include "system/fence.hpp"

namespace tandem {

bool WaitSetImpl::has_hints() const {
  const auto & hints = place().hints;
  return std::any_of(std::begin(hints), std::end(hints),
                     [](const auto & word) { return word.load(std::memory_order_relaxed) != 0; });
}

/// Looks at the lanes that have news.
void WaitSetImpl::collect() {
  SubscriptionImpl::Hints hints{};
  bool any = false;
  for (std::size_t i = 0; i < kHintWords; ++i) {
    std::atomic<std::uint64_t> & word = place().hints[i];
    if (word.load(fenced(std::memory_order_relaxed)) != 0) {
      hints[i] = word.exchange(0, std::memory_order_seq_cst);
      any = true;
    }
  }
  ++collections_;
  if ((hints[kEveryLane / 64] >> kEveryLane % 64 & 1) != 0) {
    full_fence();
    look_at_all();
  } else if (any) {
    full_fence();  // N2: hints are cleared before the slots are looked at; pairs with N1 in ReaderSet::leave_hints
    for (std::size_t i = 0; i < kHintWords; ++i) {
      for (std::uint64_t left = hints[i]; left != 0; left &= left - 1) {
        for (const std::uint32_t member : by_hint_[i * 64 + static_cast<std::size_t>(std::countr_zero(left))]) {
          look_at(member, hints);
        }
      }
    }
  }
}

void WaitSetImpl::look_at(std::uint32_t member, const SubscriptionImpl::Hints & hints) {
  const auto subscription = members_[member].subscription.lock();
  // One that was moved to another wait-set is that one's business.
  if (subscription && subscription->wait_set() == bell_ && subscription->look(hints)) {
    enlist(member);
  }
}

/// Its data was seen.
void WaitSetImpl::enlist(std::uint32_t member) {
  members_[member].seen = collections_;
  if (!members_[member].is_ready) {
    members_[member].is_ready = true;
    ready_.push_back(member);
  }
}

/// Forgets who has gone, and which lanes have gone; finds what nobody has hinted at.
void WaitSetImpl::look_at_all() {
  for (auto & members : by_hint_) {
    members.clear();
  }
  ready_.clear();
  numbers_.clear();
  std::erase_if(members_, [this](const Member & member) {
    const auto subscription = member.subscription.lock();
    return !subscription || subscription->wait_set() != bell_;
  });
  for (std::uint32_t i = 0; i < members_.size(); ++i) {
    members_[i].is_ready = false;
    members_[i].seen = 0;
    const auto subscription = members_[i].subscription.lock();
    if (!subscription) {
      continue;
    }
    numbers_.emplace(subscription.get(), i);
    subscription->visit_hints([&](std::uint32_t hint) TANDEM_REQUIRES(mutex_) {
      if (auto & members = by_hint_[hint]; members.empty() || members.back() != i) {
        members.push_back(i);
      }
    });
    if (subscription->look_at_all()) {
      enlist(i);
    }
  }
}

void WaitSetImpl::drop_first() {
  Member & first = members_[ready_.front()];
  first.is_ready = false;
  first.seen = 0;
  ready_.erase(ready_.begin());
}

/// The subscription in turn, which has data; nullptr when none has. One that was seen with data in the collection
/// `since` or later is not looked at again.
std::shared_ptr<SubscriptionImpl> WaitSetImpl::first_ready(std::uint64_t since) {
  while (!ready_.empty()) {
    const Member & first = members_[ready_.front()];
    auto subscription = first.subscription.lock();
    if (subscription && subscription->wait_set() == bell_ && (first.seen >= since || subscription->has_news())) {
      return subscription;
    }
    drop_first();
  }
  return nullptr;
}

std::optional<std::uint64_t> WaitSetImpl::next_ready() {
  if (process_.is_forked_away()) {
    return std::nullopt;
  }
  const Guard lock(mutex_);
  collect();
  if (first_ready(1) == nullptr) {
    return std::nullopt;
  }
  std::rotate(ready_.begin(), ready_.begin() + 1, ready_.end());
  Member & named = members_[ready_.back()];
  named.seen = 0;
  return named.key;
}

bool WaitSetImpl::is_ready() {
  if (woken_.load(fenced(std::memory_order_relaxed)) != 0) {
    return true;
  }
  const Guard lock(mutex_);
  collect();
  return first_ready(collections_) != nullptr;
}

}  // namespace tandem
