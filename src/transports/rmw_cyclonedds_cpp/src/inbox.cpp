#include "inbox.hpp"

#include <utility>

namespace rmw_cyclonedds {

void Inbox::start(std::function<void()> ring) {
  const std::lock_guard lock(ring_mutex_);
  ring_ = std::move(ring);
}

void Inbox::stop() {
  const std::lock_guard lock(ring_mutex_);
  ring_ = nullptr;
}

void Inbox::receive(const Gid & publisher, CdrDataPtr data) noexcept {
  CdrDataPtr overwritten;  // freed without the lock
  try {
    const std::lock_guard lock(mutex_);
    note_gap_locked(publisher, data->sequence);
    items_.push_back({publisher, std::move(data)});
    if (depth_ != 0 && items_.size() > depth_) {
      overwritten = std::move(items_.front().data);
      items_.pop_front();
      count_lost(1);
    }
    size_.store(items_.size(), std::memory_order_release);
  } catch (const std::bad_alloc &) {
    count_lost(1);
    return;
  }
  const std::lock_guard lock(ring_mutex_);
  if (ring_) {
    ring_();
  }
}

void Inbox::forget(const Gid & publisher) noexcept {
  const std::lock_guard lock(mutex_);
  next_.erase(publisher);
}

Inbox::Item Inbox::take() {
  const std::lock_guard lock(mutex_);
  Item item;
  if (!items_.empty()) {
    item = std::move(items_.front());
    items_.pop_front();
    size_.store(items_.size(), std::memory_order_release);
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
