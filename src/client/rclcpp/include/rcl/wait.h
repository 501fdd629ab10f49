// What waitables see of a wait: which entities it waits for, and afterwards which of them are ready. C++ only.
#ifndef RCL__WAIT_H_
#define RCL__WAIT_H_

#include <cstddef>
#include <cstdint>
#include <limits>
#include <memory>
#include <vector>

#include "rcl/types.h"

namespace rclcpp {
class GuardCondition;
namespace detail {
class Wakeup;
}
}  // namespace rclcpp

/// Stands for the rclcpp::GuardCondition that it is a part of. Its address tells one from another.
struct rcl_guard_condition_t {
  rclcpp::GuardCondition * owner;
};

/// Each list in the order in which its entities were added. After the wait, null stands for what is not ready.
struct rcl_wait_set_t {
  std::vector<const void *> subscriptions;
  std::vector<const void *> timers;
  std::vector<const void *> clients;
  std::vector<const void *> services;
  std::vector<const rcl_guard_condition_t *> guard_conditions;
  // As many as the lists have; rcl_wait_set_add_guard_condition() counts.
  std::size_t size_of_subscriptions = 0;
  std::size_t size_of_timers = 0;
  std::size_t size_of_clients = 0;
  std::size_t size_of_services = 0;
  std::size_t size_of_guard_conditions = 0;
  std::weak_ptr<rclcpp::detail::Wakeup> wakeup;  ///< who waits, to be woken by the guard conditions
  /// Who waits looks again by then: ns of the steady clock. Waitables may lower it.
  std::int64_t until = std::numeric_limits<std::int64_t>::max();
};

/// Whether there is one: those that rclcpp hands out are valid.
inline bool rcl_wait_set_is_valid(const rcl_wait_set_t * wait_set) { return wait_set != nullptr; }

/// From then on triggering the condition wakes who waits. \param index where it stands in the list; may be null.
/// \return RCL_RET_INVALID_ARGUMENT for null. Not thread-safe.
__attribute__((visibility("default"))) rcl_ret_t rcl_wait_set_add_guard_condition(
    rcl_wait_set_t * wait_set, const rcl_guard_condition_t * guard_condition, std::size_t * index);

#endif  // RCL__WAIT_H_
