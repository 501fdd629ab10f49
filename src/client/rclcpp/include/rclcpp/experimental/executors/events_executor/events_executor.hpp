// An executor that runs callbacks in the order in which their events arrive.
#ifndef RCLCPP__EXPERIMENTAL__EXECUTORS__EVENTS_EXECUTOR__EVENTS_EXECUTOR_HPP_
#define RCLCPP__EXPERIMENTAL__EXECUTORS__EVENTS_EXECUTOR__EVENTS_EXECUTOR_HPP_

#include <chrono>
#include <memory>

#include "rclcpp/executor.hpp"
#include "rclcpp/experimental/executors/events_executor/events_executor_event_types.hpp"
#include "rclcpp/experimental/executors/events_executor/events_queue.hpp"
#include "rclcpp/experimental/executors/events_executor/simple_events_queue.hpp"
#include "rclcpp/experimental/timers_manager.hpp"
#include "rclcpp/node.hpp"

namespace rclcpp {
namespace experimental {
namespace executors {

/// Sets the callbacks for new messages, requests and responses, for readiness of waitables and for resets of timers of all that it serves;
/// they put events into its queue. A thread of the library waits for messages, so each is handed over from thread to thread:
/// the other executors answer sooner. A due timer goes before the next event.
class RCLCPP_PUBLIC EventsExecutor : public Executor {
 public:
  RCLCPP_SMART_PTR_DEFINITIONS(EventsExecutor)

  /// \param execute_timers_separate_thread  spin() runs timers in a thread of their own, whatever their callback groups; an
  /// exception of theirs then ends the process
  /// \throws std::invalid_argument for no queue.
  explicit EventsExecutor(EventsQueue::UniquePtr events_queue = SimpleEventsQueue::make(),
                          bool execute_timers_separate_thread = false,
                          const ExecutorOptions & options = ExecutorOptions());
  ~EventsExecutor() override;

  void remove_node(node_interfaces::NodeBaseInterface::SharedPtr node, bool notify = true) override;
  void remove_node(std::shared_ptr<Node> node, bool notify = true) override;
  void remove_callback_group(CallbackGroup::SharedPtr group, bool notify = true) override;

  void spin() override;
  /// The timers and events that are ready when it is called.
  void spin_some(std::chrono::nanoseconds max_duration = std::chrono::nanoseconds(0)) override;
  /// Until nothing is ready; at most for `max_duration`. \throws std::invalid_argument unless that is positive.
  void spin_all(std::chrono::nanoseconds max_duration) override;

 protected:
  void spin_once_impl(std::chrono::nanoseconds timeout) override;

 private:
  struct Served;

  void run_some(std::chrono::nanoseconds max_duration, bool exhaustive);
  bool wait_for_event(ExecutorEvent & event, std::chrono::nanoseconds timeout);
  void refresh();

  const std::shared_ptr<EventsQueue> queue_;
  const bool has_timers_thread_;
  TimersManager timers_;
  const std::unique_ptr<Served> served_;
};

}  // namespace executors
}  // namespace experimental
}  // namespace rclcpp

#endif  // RCLCPP__EXPERIMENTAL__EXECUTORS__EVENTS_EXECUTOR__EVENTS_EXECUTOR_HPP_
