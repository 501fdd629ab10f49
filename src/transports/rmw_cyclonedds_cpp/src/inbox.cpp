#include "inbox.hpp"

#include <utility>

#include "flow.hpp"

namespace rmw_cyclonedds {

void Inbox::start(std::function<void()> ring, std::function<bool(bool)> hold) {
  const std::scoped_lock lock(ring_mutex_, hold_mutex_);
  ring_ = std::move(ring);
  hold_ = std::move(hold);
}

void Inbox::close() {
  std::deque<Item> items;  // freed without the lock
  {
    const std::scoped_lock lock(ring_mutex_, hold_mutex_);
    ring_ = nullptr;
    hold_ = nullptr;
  }
  const std::lock_guard lock(mutex_);
  is_closed_ = true;
  items.swap(items_);
  size_.store(0, std::memory_order_release);
}

void Inbox::receive(const Gid & publisher, CdrDataPtr data) noexcept {
  CdrDataPtr overwritten;  // freed without the lock
  try {
    const std::lock_guard lock(mutex_);
    if (is_closed_) {
      return;
    }
    note_gap_locked(publisher, data->sequence);
    bytes_.fetch_add(data->size, std::memory_order_relaxed);
    items_.push_back({publisher, std::move(data)});
    if (depth_ != 0 && items_.size() > depth_) {
      overwritten = std::move(items_.front().data);
      bytes_.fetch_sub(overwritten->size, std::memory_order_relaxed);
      items_.pop_front();
      count_lost(1);
    }
    size_.store(items_.size(), std::memory_order_release);
  } catch (const std::bad_alloc &) {
    count_lost(1);
    return;
  }
  if (depth_ == 0) {
    regulate();
  }
  const std::lock_guard lock(ring_mutex_);
  if (ring_) {
    ring_();
  }
}

void Inbox::regulate() {
  const auto has = [this](std::size_t messages, std::size_t bytes) {
    return size_.load(std::memory_order_relaxed) >= messages || bytes_.load(std::memory_order_relaxed) >= bytes;
  };
  const auto is_due = [&] {
    return holds_.load(std::memory_order_relaxed) ? !has(Flow::kMostMessages / 2, Flow::kMostBytes / 2)
                                                  : has(Flow::kMostMessages, Flow::kMostBytes);
  };
  if (!is_due()) {
    return;
  }
  const std::lock_guard lock(hold_mutex_);
  if (hold_ && is_due() && hold_(!holds_)) {
    holds_.store(!holds_, std::memory_order_relaxed);
  }
}

void Inbox::forget(const Gid & publisher) noexcept {
  const std::lock_guard lock(mutex_);
  next_.erase(publisher);
}

Inbox::Item Inbox::take() {
  Item item;
  {
    const std::lock_guard lock(mutex_);
    if (items_.empty()) {
      return item;
    }
    item = std::move(items_.front());
    items_.pop_front();
    bytes_.fetch_sub(item.data->size, std::memory_order_relaxed);
    size_.store(items_.size(), std::memory_order_release);
  }
  if (depth_ == 0) {
    regulate();
  }
  return item;
}

/// The first message of a publisher tells where it begins for us; what is missing after it, the network has lost or the
/// publisher has overwritten.
void Inbox::note_gap_locked(const Gid & publisher, std::uint64_t sequence) {
  const auto [known, is_new] = next_.try_emplace(publisher, sequence + 1);
  if (!is_new && sequence >= known->second) {
    count_lost(sequence - known->second);
    known->second = sequence + 1;
  }
}

}  // namespace rmw_cyclonedds
