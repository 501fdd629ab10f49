// Messages that publishers of the same context have handed over to a subscription, until it takes them.
//
//   publishers' threads   push(): into the ring; wakes who waits when the ring was empty
//   any thread            take(): from the ring
//
// Who waits looks again after each message that it has taken, so only the first one of several has to wake it.
#pragma once

#include <algorithm>
#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <mutex>
#include <utility>
#include <vector>

#include "rclcpp/callback_group.hpp"
#include "rclcpp/detail/counted_callback.hpp"
#include "rclcpp/detail/intra_process_taker.hpp"
#include "tandem/transport.hpp"
#include "waiting/wakeup.hpp"

namespace rclcpp::detail {

/// Thread-safe.
class LocalQueue {
 public:
  /// \param capacity  the history depth, at least 1: beyond it the oldest message is dropped
  LocalQueue(std::size_t capacity, std::weak_ptr<CallbackGroup> group)
      : capacity_(capacity), group_(std::move(group)), on_new_(capacity) {}

  /// Before anybody pushes: what the subscription's callback makes of its messages.
  void set_taker(const IntraProcessTaker & taker) { taker_ = taker; }
  const IntraProcessTaker & taker() const { return taker_; }
  /// The sample's message. Of a custom sample one is made, which `made` keeps.
  const void * message_of(const tandem::transport::Sample & sample, tandem::OwnedMessage & made) const {
    if (!is_custom(sample)) return sample.message;
    made = taker_.custom->to_message(sample.message);
    return made.get();
  }

  /// Never waits.
  void push(tandem::transport::Sample && sample) {
    tandem::transport::Sample dropped;  // ends without the lock, as the waiter does
    std::shared_ptr<Wakeup> waiter;     // one that is set later looks at the ring after that
    bool was_empty = false;
    {
      const std::lock_guard<std::mutex> lock(mutex_);
      was_empty = size_.load(std::memory_order_relaxed) == 0;
      if (was_empty) waiter = waiter_.lock();
      dropped = put(std::move(sample));
    }
    if (waiter) waiter->wake();
    if (was_empty) {
      if (const auto group = group_.lock()) group->notify_data();
    }
    on_new_.happened();
  }

  /// \return false when there is none.
  bool take(tandem::transport::Sample & sample) {
    const std::lock_guard<std::mutex> lock(mutex_);
    const std::size_t size = size_.load(std::memory_order_relaxed);
    if (size == 0) return false;
    sample = std::move(ring_[first_]);
    ring_[first_] = {};
    first_ = (first_ + 1) % ring_.size();
    size_.store(size - 1, std::memory_order_release);
    return true;
  }

  std::size_t size() const { return size_.load(std::memory_order_acquire); }
  std::uint64_t dropped() const { return dropped_.load(std::memory_order_relaxed); }

  void set_on_new(CountedCallback::Function callback) { on_new_.set(std::move(callback)); }
  /// Who waits in a WaitSet; null: nobody.
  void set_waiter(const std::shared_ptr<Wakeup> & waiter) {
    const std::lock_guard<std::mutex> lock(mutex_);
    waiter_ = waiter;
  }

  // Whose messages are handed over, so that those that the transport brings as well are to be ignored. Those of a publisher
  // that has gone may still come.
  void add_publisher(const tandem::transport::Gid & gid) {
    const std::lock_guard<std::mutex> lock(mutex_);
    if (std::find(publishers_.begin(), publishers_.end(), gid) != publishers_.end()) return;
    if (publishers_.size() == kMostPublishers) publishers_.erase(publishers_.begin());
    publishers_.push_back(gid);
  }
  bool is_handed_over_by(const tandem::transport::Gid & gid) const {
    const std::lock_guard<std::mutex> lock(mutex_);
    return std::find(publishers_.begin(), publishers_.end(), gid) != publishers_.end();
  }

 private:
  static constexpr std::size_t kMostPublishers = 1000;
  static constexpr std::size_t kFirstRoom = 16;

  /// Under mutex_. \return the message that has to go.
  tandem::transport::Sample put(tandem::transport::Sample && sample) {
    const std::size_t size = size_.load(std::memory_order_relaxed);
    if (size == capacity_) {
      tandem::transport::Sample oldest = std::exchange(ring_[first_], std::move(sample));
      first_ = (first_ + 1) % ring_.size();
      dropped_.fetch_add(1, std::memory_order_relaxed);
      return oldest;
    }
    if (size == ring_.size()) grow();
    ring_[(first_ + size) % ring_.size()] = std::move(sample);
    size_.store(size + 1, std::memory_order_release);
    return {};
  }

  void grow() {
    std::rotate(ring_.begin(), ring_.begin() + static_cast<std::ptrdiff_t>(first_), ring_.end());
    first_ = 0;
    ring_.resize(std::min(capacity_, std::max(kFirstRoom, ring_.size() * 2)));
  }

  const std::size_t capacity_;
  const std::weak_ptr<CallbackGroup> group_;
  IntraProcessTaker taker_;
  CountedCallback on_new_;
  std::atomic<std::uint64_t> dropped_{0};
  std::atomic<std::size_t> size_{0};  // written under mutex_
  mutable std::mutex mutex_;          // guards what follows
  std::vector<tandem::transport::Sample> ring_;
  std::size_t first_ = 0;
  std::weak_ptr<Wakeup> waiter_;
  std::vector<tandem::transport::Gid> publishers_;
};

}  // namespace rclcpp::detail
