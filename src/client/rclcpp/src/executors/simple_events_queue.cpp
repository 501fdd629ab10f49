#include "rclcpp/experimental/executors/events_executor/simple_events_queue.hpp"

#include <algorithm>

namespace rclcpp::experimental::executors {

EventsQueue::UniquePtr SimpleEventsQueue::make() { return std::make_unique<SimpleEventsQueue>(); }

void SimpleEventsQueue::enqueue(const ExecutorEvent & event) {
  ExecutorEvent single = event;
  single.num_events = 1;
  {
    const std::lock_guard<std::mutex> lock(mutex_);
    for (size_t i = 0; i < event.num_events; ++i) events_.push(single);
  }
  arrived_.notify_one();
}

bool SimpleEventsQueue::dequeue(ExecutorEvent & event, std::chrono::nanoseconds timeout) {
  // Longer than a year is "for ever", and would overflow the clock.
  const std::chrono::nanoseconds longest = std::chrono::hours(24 * 365);
  const auto end = std::chrono::steady_clock::now() + std::min(timeout, longest);
  std::unique_lock<std::mutex> lock(mutex_);
  if (!arrived_.wait_until(lock, end, [this] { return !events_.empty(); })) return false;
  event = events_.front();
  events_.pop();
  return true;
}

bool SimpleEventsQueue::empty() const { return size() == 0; }

size_t SimpleEventsQueue::size() const {
  const std::lock_guard<std::mutex> lock(mutex_);
  return events_.size();
}

}  // namespace rclcpp::experimental::executors
