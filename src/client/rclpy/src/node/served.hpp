// What an executor serves for Python: subscriptions, clients, services, timers, guard conditions, events.
//
//   rclcpp's object  --Slot-->  ServedHandle, which Python holds  --weakly-->  the Python object whose callback is called
//
// The slot is looked at with the GIL only. It is empty once the handle has gone, though rclcpp's object may live on for a moment
// in a thread of an executor.
#pragma once

#include <atomic>
#include <deque>
#include <functional>
#include <memory>
#include <mutex>
#include <utility>

#include "base/destroyable.hpp"
#include "rclcpp/callback_group.hpp"
#include "rclcpp/guard_condition.hpp"
#include "rclcpp/waitable.hpp"

namespace tandem_py {

class ServedHandle;
class NodeHandle;

struct Slot {
  ServedHandle * handle = nullptr;
  std::atomic<bool> is_queued{false};
};

/// A base of rclcpp's objects that belong to a handle.
class HasSlot {
 public:
  explicit HasSlot(std::shared_ptr<Slot> slot) : slot_(std::move(slot)) {}
  virtual ~HasSlot() = default;
  const std::shared_ptr<Slot> & slot() const { return slot_; }

 private:
  const std::shared_ptr<Slot> slot_;
};

/// Of an object of rclcpp's; null where it is of no handle.
template <class T>
std::shared_ptr<Slot> slot_of(const T * object) {
  const auto * const has_slot = dynamic_cast<const HasSlot *>(object);
  return has_slot != nullptr ? has_slot->slot() : nullptr;
}

class ServedHandle : public Destroyable {
 public:
  ServedHandle() { slot_->handle = this; }
  ~ServedHandle() override { slot_->handle = nullptr; }

  const std::shared_ptr<Slot> & slot() const { return slot_; }
  /// The Python object; null once it has gone, and before there is one.
  py::object owner() const;
  void set_owner(const py::object & owner) { owner_ = py::weakref(owner); }
  /// From then on the node's executor serves it in this group, for as long as it lives.
  virtual void serve(NodeHandle & node, const std::shared_ptr<rclcpp::CallbackGroup> & group) = 0;
  virtual void stop_serving() {}
  /// What the callback is called for; null when there is nothing. `data` is what the executor has taken.
  virtual py::object take(const std::shared_ptr<void> & data) = 0;
  /// Calls this function, from any thread, when it becomes ready; until it is served or destroyed.
  virtual void watch(const std::function<void()> & wake) = 0;
  /// Looks without taking anything but a guard condition's trigger.
  virtual bool is_ready() = 0;

 private:
  const std::shared_ptr<Slot> slot_ = std::make_shared<Slot>();
  py::object owner_;  // a weak reference
};

/// Those of a node that call when they are ready, in the order of their calls. Thread-safe.
class ReadyQueue : public rclcpp::Waitable {
 public:
  explicit ReadyQueue(const std::shared_ptr<rclcpp::Context> & context) : condition_(context) {}

  /// One that waits here already stays where it is.
  void push(const std::shared_ptr<Slot> & slot);

  size_t get_number_of_ready_guard_conditions() override { return 1; }
  void add_to_wait_set(rcl_wait_set_t & wait_set) override { condition_.add_to_wait_set(wait_set); }
  bool is_ready(const rcl_wait_set_t &) override;
  /// The next slot.
  std::shared_ptr<void> take_data() override;

 private:
  rclcpp::GuardCondition condition_;
  std::mutex mutex_;
  std::deque<std::shared_ptr<Slot>> slots_;
};

}  // namespace tandem_py
