#include "record/message_cache.hpp"

#include <algorithm>
#include <utility>

namespace tandem::bag {
namespace {

constexpr std::size_t kCapacity = 1 << 20;  // of a batch, unless a message is larger
constexpr std::size_t kKept = 8;            // empty batches that are kept for later

}  // namespace

std::uint8_t * MessageCache::begin(std::size_t size) {
  if (filling_) {
    if (std::uint8_t * const room = filling_->room(size)) {
      return room;
    }
    hand_over();
  }
  filling_ = make(size);
  return filling_ ? filling_->room(size) : nullptr;
}

std::unique_ptr<Batch> MessageCache::make(std::size_t size) {
  const std::lock_guard lock(mutex_);
  const auto fits = [&](const auto & batch) { return batch->capacity() >= size; };
  const auto known = std::find_if(empty_.begin(), empty_.end(), fits);
  const std::size_t capacity = known != empty_.end() ? (*known)->capacity() : std::max(size, kCapacity);
  while (is_circular_ && used_ + capacity > limit_ && !full_.empty()) {
    used_ -= full_.front()->capacity();
    full_.pop_front();
    has_overflowed_ = true;
  }
  // One batch is always possible: a message larger than the limit is written by itself.
  if (used_ != 0 && used_ + capacity > std::max<std::uint64_t>(limit_, 2 * kCapacity)) {
    return nullptr;
  }
  used_ += capacity;
  if (known == empty_.end()) {
    return std::make_unique<Batch>(capacity);
  }
  std::unique_ptr<Batch> batch = std::move(*known);
  empty_.erase(known);
  return batch;
}

void MessageCache::hand_over() {
  if (!filling_ || filling_->messages().empty()) {
    return;
  }
  {
    const std::lock_guard lock(mutex_);
    const std::int64_t newest = filling_->messages().back().log_time;
    full_.push_back(std::move(filling_));
    while (age_ != 0 && full_.front()->messages().back().log_time < newest - age_) {
      used_ -= full_.front()->capacity();
      keep_empty(std::move(full_.front()));
      full_.pop_front();
    }
  }
  if (!is_circular_) {
    ready_.notify_one();
  }
}

std::unique_ptr<Batch> MessageCache::wait(std::chrono::milliseconds timeout) {
  std::unique_lock lock(mutex_);
  auto & queue = is_circular_ ? released_ : full_;
  ready_.wait_for(lock, timeout, [&] { return is_closed_ || !queue.empty(); });
  if (queue.empty()) {
    return nullptr;
  }
  std::unique_ptr<Batch> batch = std::move(queue.front());
  queue.pop_front();
  return batch;
}

void MessageCache::recycle(std::unique_ptr<Batch> batch) {
  const std::lock_guard lock(mutex_);
  used_ -= is_circular_ ? 0 : batch->capacity();
  keep_empty(std::move(batch));
  if (is_circular_ && --unwritten_ == 0) {
    written_.notify_all();
  }
}

void MessageCache::keep_empty(std::unique_ptr<Batch> batch) {
  if (empty_.size() < kKept) {
    batch->clear();
    empty_.push_back(std::move(batch));
  }
}

bool MessageCache::take_overflow() {
  const std::lock_guard lock(mutex_);
  return std::exchange(has_overflowed_, false);
}

bool MessageCache::wait_until_written(std::chrono::milliseconds timeout) {
  std::unique_lock lock(mutex_);
  return written_.wait_for(lock, timeout, [&] { return unwritten_ == 0; });
}

std::size_t MessageCache::release() {
  std::size_t messages = 0;
  {
    const std::lock_guard lock(mutex_);
    for (auto & batch : full_) {
      messages += batch->messages().size();
      used_ -= batch->capacity();
      ++unwritten_;
      released_.push_back(std::move(batch));
    }
    full_.clear();
  }
  ready_.notify_one();
  return messages;
}

void MessageCache::close() {
  {
    const std::lock_guard lock(mutex_);
    is_closed_ = true;
  }
  ready_.notify_one();
}

bool MessageCache::is_closed() const {
  const std::lock_guard lock(mutex_);
  return is_closed_;
}

}  // namespace tandem::bag
