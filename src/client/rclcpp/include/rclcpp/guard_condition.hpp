// Waking who waits, from any thread.
#ifndef RCLCPP__GUARD_CONDITION_HPP_
#define RCLCPP__GUARD_CONDITION_HPP_

#include <atomic>
#include <cstddef>
#include <functional>
#include <memory>
#include <mutex>

#include "rcl/wait.h"
#include "rclcpp/contexts/default_context.hpp"
#include "rclcpp/detail/counted_callback.hpp"
#include "rclcpp/macros.hpp"
#include "rclcpp/visibility_control.hpp"

namespace rclcpp {

/// Stays triggered until a wait has seen it. Thread-safe.
class RCLCPP_PUBLIC GuardCondition {
 public:
  RCLCPP_SMART_PTR_DEFINITIONS_NOT_COPYABLE(GuardCondition)

  /// \throws std::invalid_argument for a null context, exceptions::RCLInvalidArgument for one that is not initialised.
  explicit GuardCondition(const Context::SharedPtr & context = contexts::get_global_default_context());
  virtual ~GuardCondition();

  /// Ends the present or the next wait of who waits for it.
  void trigger();
  /// Is called in the thread that triggers, with 1, and at once with the number of triggers since the last callback was
  /// taken away.
  /// It must not wait for another thread that triggers. Null: none.
  void set_on_trigger_callback(std::function<void(size_t)> callback);

  /// For Waitable::add_to_wait_set(). One wait-set waits for it at a time: the last one that it was added to.
  void add_to_wait_set(rcl_wait_set_t & wait_set);
  /// \return what it was before.
  bool exchange_in_use_by_wait_set_state(bool in_use_state) { return in_use_.exchange(in_use_state); }
  rcl_guard_condition_t & get_rcl_guard_condition() { return handle_; }
  const rcl_guard_condition_t & get_rcl_guard_condition() const { return handle_; }

  // For the library's own use.
  void set_wakeup(const std::weak_ptr<detail::Wakeup> & wakeup);
  /// Whether it was triggered; from then on it is not.
  bool take_trigger() { return triggered_.exchange(false); }

 private:
  rcl_guard_condition_t handle_{this};
  std::atomic<bool> triggered_{false};
  std::atomic<bool> in_use_{false};
  detail::CountedCallback on_trigger_;
  std::mutex mutex_;
  std::weak_ptr<detail::Wakeup> wakeup_;  // guarded by mutex_
};

}  // namespace rclcpp

#endif  // RCLCPP__GUARD_CONDITION_HPP_
