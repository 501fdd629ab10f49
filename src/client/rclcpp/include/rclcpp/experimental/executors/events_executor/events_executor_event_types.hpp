// What an EventsQueue holds.
#ifndef RCLCPP__EXPERIMENTAL__EXECUTORS__EVENTS_EXECUTOR__EVENTS_EXECUTOR_EVENT_TYPES_HPP_
#define RCLCPP__EXPERIMENTAL__EXECUTORS__EVENTS_EXECUTOR__EVENTS_EXECUTOR_EVENT_TYPES_HPP_

#include <cstddef>
#include <memory>

namespace rclcpp {
namespace experimental {
namespace executors {

enum ExecutorEventType { CLIENT_EVENT, SUBSCRIPTION_EVENT, SERVICE_EVENT, TIMER_EVENT, WAITABLE_EVENT };

struct ExecutorEvent {
  const void * entity_key;     ///< tells entities apart; null: there is something for the executor itself to look at
  std::shared_ptr<void> data;  ///< of a timer's call
  int waitable_data;           ///< the id that a waitable has given
  ExecutorEventType type;
  size_t num_events;
};

}  // namespace executors
}  // namespace experimental
}  // namespace rclcpp

#endif  // RCLCPP__EXPERIMENTAL__EXECUTORS__EVENTS_EXECUTOR__EVENTS_EXECUTOR_EVENT_TYPES_HPP_
