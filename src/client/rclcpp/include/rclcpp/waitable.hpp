// What programs derive to be served by executors and wait-sets in a way of their own.
//
// Each time before it waits, who waits calls add_to_wait_set(), where the waitable adds its guard conditions, and then
// is_ready(). If that is so, take_data() and execute() follow, execute() in the thread that runs the callbacks of the
// waitable's group.
#ifndef RCLCPP__WAITABLE_HPP_
#define RCLCPP__WAITABLE_HPP_

#include <atomic>
#include <cstddef>
#include <functional>
#include <memory>

#include "rcl/wait.h"
#include "rclcpp/macros.hpp"
#include "rclcpp/visibility_control.hpp"

namespace rclcpp {

/// Everything but execute() and the callbacks is called by one thread at a time of who waits. No call may spin the
/// executor that makes it.
class RCLCPP_PUBLIC Waitable {
 public:
  RCLCPP_SMART_PTR_ALIASES_ONLY(Waitable)
  RCLCPP_DISABLE_COPY(Waitable)
  Waitable() = default;
  virtual ~Waitable() = default;

  // How many entities it adds at most. Whoever waits here counts them by itself.
  virtual size_t get_number_of_ready_subscriptions() { return 0; }
  virtual size_t get_number_of_ready_timers() { return 0; }
  virtual size_t get_number_of_ready_clients() { return 0; }
  virtual size_t get_number_of_ready_events() { return 0; }
  virtual size_t get_number_of_ready_services() { return 0; }
  virtual size_t get_number_of_ready_guard_conditions() { return 0; }

  // To be overridden: one of each pair. Those with a pointer are of ROS 2 Humble. By default they throw
  // exceptions::UnimplementedError.
  virtual void add_to_wait_set(rcl_wait_set_t & wait_set);
  virtual void add_to_wait_set(rcl_wait_set_t * wait_set);
  virtual bool is_ready(const rcl_wait_set_t & wait_set);
  virtual bool is_ready(rcl_wait_set_t * wait_set);
  virtual void execute(const std::shared_ptr<void> & data);
  virtual void execute(std::shared_ptr<void> & data);

  /// What execute() gets; may be null.
  virtual std::shared_ptr<void> take_data() = 0;
  /// Of an entity that a callback of set_on_ready_callback() named. \throws exceptions::UnimplementedError by default.
  virtual std::shared_ptr<void> take_data_by_entity_id(size_t id);

  /// The callback gets how many times it has become ready, and the id of the entity.
  /// \throws exceptions::UnimplementedError by default.
  virtual void set_on_ready_callback(std::function<void(size_t, int)> callback);
  virtual void clear_on_ready_callback();

  /// \return what it was before.
  bool exchange_in_use_by_wait_set_state(bool in_use_state) { return in_use_.exchange(in_use_state); }

 private:
  std::atomic<bool> in_use_{false};
};

}  // namespace rclcpp

#endif  // RCLCPP__WAITABLE_HPP_
