// For waitables written before GuardCondition::add_to_wait_set() was there.
#ifndef RCLCPP__DETAIL__ADD_GUARD_CONDITION_TO_RCL_WAIT_SET_HPP_
#define RCLCPP__DETAIL__ADD_GUARD_CONDITION_TO_RCL_WAIT_SET_HPP_

#include "rclcpp/guard_condition.hpp"

namespace rclcpp {
namespace detail {

inline void add_guard_condition_to_rcl_wait_set(rcl_wait_set_t & wait_set, const GuardCondition & guard_condition) {
  rcl_wait_set_add_guard_condition(&wait_set, &guard_condition.get_rcl_guard_condition(), nullptr);
}

}  // namespace detail
}  // namespace rclcpp

#endif  // RCLCPP__DETAIL__ADD_GUARD_CONDITION_TO_RCL_WAIT_SET_HPP_
