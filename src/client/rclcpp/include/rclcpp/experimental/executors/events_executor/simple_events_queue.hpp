// First in, first out, without a bound.
#ifndef RCLCPP__EXPERIMENTAL__EXECUTORS__EVENTS_EXECUTOR__SIMPLE_EVENTS_QUEUE_HPP_
#define RCLCPP__EXPERIMENTAL__EXECUTORS__EVENTS_EXECUTOR__SIMPLE_EVENTS_QUEUE_HPP_

#include <algorithm>
#include <chrono>
#include <condition_variable>
#include <cstddef>
#include <mutex>
#include <queue>

#include "rclcpp/experimental/executors/events_executor/events_queue.hpp"

namespace rclcpp {
namespace experimental {
namespace executors {

/// An event for several messages comes out as that many events.
class RCLCPP_PUBLIC SimpleEventsQueue : public EventsQueue {
 public:
  RCLCPP_SMART_PTR_DEFINITIONS(SimpleEventsQueue)

  void enqueue(const ExecutorEvent & event) override {
    ExecutorEvent single = event;
    single.num_events = 1;
    {
      const std::lock_guard<std::mutex> lock(mutex_);
      for (size_t i = 0; i < event.num_events; ++i) events_.push(single);
    }
    arrived_.notify_one();
  }

  bool dequeue(ExecutorEvent & event, std::chrono::nanoseconds timeout = std::chrono::nanoseconds::max()) override {
    // Longer than a year is "for ever", and would overflow the clock.
    const std::chrono::nanoseconds longest = std::chrono::hours(24 * 365);
    const auto end = std::chrono::steady_clock::now() + std::min(timeout, longest);
    std::unique_lock<std::mutex> lock(mutex_);
    if (!arrived_.wait_until(lock, end, [this] { return !events_.empty(); })) return false;
    event = events_.front();
    events_.pop();
    return true;
  }

  bool empty() const override { return size() == 0; }
  size_t size() const override {
    const std::lock_guard<std::mutex> lock(mutex_);
    return events_.size();
  }

 private:
  mutable std::mutex mutex_;
  std::condition_variable arrived_;
  std::queue<ExecutorEvent> events_;
};

}  // namespace executors
}  // namespace experimental
}  // namespace rclcpp

#endif  // RCLCPP__EXPERIMENTAL__EXECUTORS__EVENTS_EXECUTOR__SIMPLE_EVENTS_QUEUE_HPP_
