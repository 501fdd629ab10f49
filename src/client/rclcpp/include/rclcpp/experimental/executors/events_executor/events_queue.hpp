// Where events wait for an EventsExecutor; programs may derive one of their own.
#ifndef RCLCPP__EXPERIMENTAL__EXECUTORS__EVENTS_EXECUTOR__EVENTS_QUEUE_HPP_
#define RCLCPP__EXPERIMENTAL__EXECUTORS__EVENTS_EXECUTOR__EVENTS_QUEUE_HPP_

#include <chrono>
#include <cstddef>

#include "rclcpp/experimental/executors/events_executor/events_executor_event_types.hpp"
#include "rclcpp/macros.hpp"
#include "rclcpp/visibility_control.hpp"

namespace rclcpp {
namespace experimental {
namespace executors {

/// Must be thread-safe. enqueue() is called by many threads and must not use the executor; the others by the one that spins.
class RCLCPP_PUBLIC EventsQueue {
 public:
  RCLCPP_SMART_PTR_ALIASES_ONLY(EventsQueue)
  RCLCPP_DISABLE_COPY(EventsQueue)
  EventsQueue() = default;
  virtual ~EventsQueue() = default;

  virtual void enqueue(const ExecutorEvent & event) = 0;
  /// The next one, waiting for at most `timeout`. \return false when there is none.
  virtual bool dequeue(ExecutorEvent & event, std::chrono::nanoseconds timeout = std::chrono::nanoseconds::max()) = 0;
  virtual bool empty() const = 0;
  virtual size_t size() const = 0;
};

}  // namespace executors
}  // namespace experimental
}  // namespace rclcpp

#endif  // RCLCPP__EXPERIMENTAL__EXECUTORS__EVENTS_EXECUTOR__EVENTS_QUEUE_HPP_
