// First in, first out, without a bound.
#ifndef RCLCPP__EXPERIMENTAL__EXECUTORS__EVENTS_EXECUTOR__SIMPLE_EVENTS_QUEUE_HPP_
#define RCLCPP__EXPERIMENTAL__EXECUTORS__EVENTS_EXECUTOR__SIMPLE_EVENTS_QUEUE_HPP_

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

  static EventsQueue::UniquePtr make();

  void enqueue(const ExecutorEvent & event) override;
  bool dequeue(ExecutorEvent & event, std::chrono::nanoseconds timeout = std::chrono::nanoseconds::max()) override;
  bool empty() const override;
  size_t size() const override;

 private:
  mutable std::mutex mutex_;
  std::condition_variable arrived_;
  std::queue<ExecutorEvent> events_;
};

}  // namespace executors
}  // namespace experimental
}  // namespace rclcpp

#endif  // RCLCPP__EXPERIMENTAL__EXECUTORS__EVENTS_EXECUTOR__SIMPLE_EVENTS_QUEUE_HPP_
