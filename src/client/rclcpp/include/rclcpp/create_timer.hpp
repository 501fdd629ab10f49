// Creating a timer with a clock and a node of one's choice.
#ifndef RCLCPP__CREATE_TIMER_HPP_
#define RCLCPP__CREATE_TIMER_HPP_

#include <chrono>
#include <memory>
#include <utility>

#include "rclcpp/detail/dereference.hpp"
#include "rclcpp/duration.hpp"
#include "rclcpp/node_interfaces/node_base_interface.hpp"
#include "rclcpp/timer.hpp"

namespace rclcpp {

/// \throws std::invalid_argument for a negative period.
template <class NodeT, class CallbackT>
TimerBase::SharedPtr create_timer(NodeT && node, Clock::SharedPtr clock, Duration period, CallbackT && callback,
                                  CallbackGroup::SharedPtr group = nullptr, bool autostart = true) {
  auto base = detail::dereference(node).get_node_base_interface();
  auto timer = GenericTimer<CallbackT>::make_shared(std::move(clock), period.to_chrono<std::chrono::nanoseconds>(),
                                                    std::forward<CallbackT>(callback), base->get_context(), autostart);
  base->add_timer(timer, std::move(group));
  return timer;
}

/// A timer of the steady clock.
template <class DurationRepT, class DurationT, class CallbackT>
typename WallTimer<CallbackT>::SharedPtr create_wall_timer(std::chrono::duration<DurationRepT, DurationT> period,
                                                           CallbackT callback, CallbackGroup::SharedPtr group,
                                                           node_interfaces::NodeBaseInterface * node_base,
                                                           bool autostart = true) {
  auto timer = WallTimer<CallbackT>::make_shared(std::chrono::duration_cast<std::chrono::nanoseconds>(period),
                                                 std::move(callback), node_base->get_context(), autostart);
  node_base->add_timer(timer, std::move(group));
  return timer;
}

}  // namespace rclcpp

#endif  // RCLCPP__CREATE_TIMER_HPP_
