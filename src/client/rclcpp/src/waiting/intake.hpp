// What stands between a receiver and its transport, for those that have a callback for new messages.
//
//   Listener's thread    fill(): takes from the transport into the queue, then tells the callback how many
//   any thread           take(): from the queue
//
// Messages are counted by being taken: that works over every transport, and leaves nothing behind that would end the
// Listener's next wait at once. Of keep-last topics the queue drops the oldest message when it is full, as the middleware
// would. Of all others it takes no more until there is room, so that the publisher still waits for its reader.
#pragma once

#include <atomic>
#include <cstddef>
#include <deque>
#include <functional>
#include <memory>
#include <mutex>
#include <utility>

#include "rclcpp/detail/counted_callback.hpp"
#include "tandem/transport.hpp"

namespace rclcpp::detail {

/// Thread-safe.
class Intake {
 public:
  /// Its receiver, which is used until close().
  struct Source {
    std::shared_ptr<tandem::transport::Subscription> transport;
    std::function<bool(tandem::transport::Sample &)> take;  ///< \return false when there is none
    std::function<void()> ready;                            ///< tells who waits that there are messages
  };

  /// \param capacity  of the queue, at least 1
  Intake(Source source, std::size_t capacity, bool waits_when_full)
      : transport_(source.transport),
        capacity_(capacity),
        waits_when_full_(waits_when_full),
        on_new_(capacity),
        source_(std::move(source)) {}

  const std::shared_ptr<tandem::transport::Subscription> & transport() const { return transport_; }

  void set_callback(CountedCallback::Function callback) {
    const std::lock_guard<std::recursive_mutex> lock(fill_mutex_);
    on_new_.set(std::move(callback));
  }

  /// Takes what is there, at most as much as the queue holds. \return whether the queue takes no more.
  bool fill() {
    const std::lock_guard<std::recursive_mutex> lock(fill_mutex_);
    if (!source_.take) return false;
    std::size_t arrived = 0;
    bool has_room = make_room();
    while (has_room && arrived < capacity_) {
      tandem::transport::Sample sample;
      if (!source_.take(sample)) break;
      ++arrived;
      has_room = keep(std::move(sample));
    }
    if (arrived != 0) {
      source_.ready();
      on_new_.happened(arrived);
    }
    return !has_room;
  }

  /// \param has_room  set when the queue was full: then fill() may go on
  /// \return false when there is none.
  bool take(tandem::transport::Sample & sample, bool & has_room) {
    const std::lock_guard<std::mutex> lock(queue_mutex_);
    if (queue_.empty()) return false;
    sample = std::move(queue_.front());
    queue_.pop_front();
    has_room = std::exchange(is_full_, false);
    return true;
  }

  std::size_t size() const {
    const std::lock_guard<std::mutex> lock(queue_mutex_);
    return queue_.size();
  }

  /// Whether fill() has stopped since then because there was no room.
  bool is_full() const {
    const std::lock_guard<std::mutex> lock(queue_mutex_);
    return is_full_;
  }

  /// From then on nothing is called. Waits for what runs, unless that calls this.
  void close() {
    const std::lock_guard<std::recursive_mutex> lock(fill_mutex_);
    source_ = {};
    on_new_.set(nullptr);
  }

 private:
  bool make_room() {
    const std::lock_guard<std::mutex> lock(queue_mutex_);
    is_full_ = waits_when_full_ && queue_.size() >= capacity_;
    return !is_full_;
  }

  /// \return whether there is room for more.
  bool keep(tandem::transport::Sample && sample) {
    tandem::transport::Sample dropped;  // ends without the lock
    const std::lock_guard<std::mutex> lock(queue_mutex_);
    if (queue_.size() >= capacity_) {
      dropped = std::move(queue_.front());
      queue_.pop_front();
    }
    queue_.push_back(std::move(sample));
    is_full_ = waits_when_full_ && queue_.size() >= capacity_;
    return !is_full_;
  }

  const std::shared_ptr<tandem::transport::Subscription> transport_;
  const std::size_t capacity_;
  const bool waits_when_full_;
  std::recursive_mutex fill_mutex_;  // held while fill() and the callback run; taken before the others
  CountedCallback on_new_;
  Source source_;  // empty: closed
  mutable std::mutex queue_mutex_;
  std::deque<tandem::transport::Sample> queue_;
  bool is_full_ = false;
};

}  // namespace rclcpp::detail
