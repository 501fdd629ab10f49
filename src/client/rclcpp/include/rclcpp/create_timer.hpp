// Creating a timer with a clock and a node, or parts of one, of one's choice.
#ifndef RCLCPP__CREATE_TIMER_HPP_
#define RCLCPP__CREATE_TIMER_HPP_

#include <chrono>
#include <memory>
#include <stdexcept>
#include <utility>

#include "rclcpp/duration.hpp"
#include "rclcpp/node_interfaces/node_base_interface.hpp"
#include "rclcpp/node_interfaces/node_timers_interface.hpp"
#include "rclcpp/timer.hpp"

namespace rclcpp {
namespace detail {

/// \throws std::invalid_argument for a negative period, and for one that is too long for nanoseconds.
template <class Rep, class Period>
std::chrono::nanoseconds timer_period(std::chrono::duration<Rep, Period> period) {
  if (period < std::chrono::duration<Rep, Period>::zero()) {
    throw std::invalid_argument("timer period cannot be negative");
  }
  const double count = std::chrono::duration<double, std::nano>(period).count();
  if (count > 0x1p63) throw std::invalid_argument("timer period must be less than std::chrono::nanoseconds::max()");
  if (count == 0x1p63) return std::chrono::nanoseconds::max();  // as a double
  return std::chrono::duration_cast<std::chrono::nanoseconds>(period);
}

inline void require_parts(const void * node_base, const void * node_timers) {
  if (!node_base) throw std::invalid_argument("input node_base cannot be null");
  if (!node_timers) throw std::invalid_argument("input node_timers cannot be null");
}

}  // namespace detail

// All throw std::invalid_argument for null, a negative period, and one that is too long for nanoseconds, and
// exceptions::MissingGroupNodeException for a group of another node. A null group means the node's default group.

template <class DurationRepT, class DurationT, class CallbackT>
typename GenericTimer<CallbackT>::SharedPtr create_timer(Clock::SharedPtr clock,
                                                         std::chrono::duration<DurationRepT, DurationT> period,
                                                         CallbackT callback, CallbackGroup::SharedPtr group,
                                                         node_interfaces::NodeBaseInterface * node_base,
                                                         node_interfaces::NodeTimersInterface * node_timers,
                                                         bool autostart = true) {
  detail::require_parts(node_base, node_timers);
  auto timer = GenericTimer<CallbackT>::make_shared(std::move(clock), detail::timer_period(period), std::move(callback),
                                                    node_base->get_context(), autostart);
  node_timers->add_timer(timer, std::move(group));
  return timer;
}

template <class CallbackT>
TimerBase::SharedPtr create_timer(std::shared_ptr<node_interfaces::NodeBaseInterface> node_base,
                                  std::shared_ptr<node_interfaces::NodeTimersInterface> node_timers,
                                  Clock::SharedPtr clock, Duration period, CallbackT && callback,
                                  CallbackGroup::SharedPtr group = nullptr, bool autostart = true) {
  return create_timer(std::move(clock), period.to_chrono<std::chrono::nanoseconds>(), std::forward<CallbackT>(callback),
                      std::move(group), node_base.get(), node_timers.get(), autostart);
}

/// \param node a node or a pointer to one.
template <class NodeT, class CallbackT>
TimerBase::SharedPtr create_timer(NodeT && node, Clock::SharedPtr clock, Duration period, CallbackT && callback,
                                  CallbackGroup::SharedPtr group = nullptr, bool autostart = true) {
  return create_timer(node_interfaces::get_node_base_interface(node), node_interfaces::get_node_timers_interface(node),
                      std::move(clock), period, std::forward<CallbackT>(callback), std::move(group), autostart);
}

/// A timer of the steady clock.
template <class DurationRepT, class DurationT, class CallbackT>
typename WallTimer<CallbackT>::SharedPtr create_wall_timer(std::chrono::duration<DurationRepT, DurationT> period,
                                                           CallbackT callback, CallbackGroup::SharedPtr group,
                                                           node_interfaces::NodeBaseInterface * node_base,
                                                           node_interfaces::NodeTimersInterface * node_timers,
                                                           bool autostart = true) {
  detail::require_parts(node_base, node_timers);
  auto timer = WallTimer<CallbackT>::make_shared(detail::timer_period(period), std::move(callback),
                                                 node_base->get_context(), autostart);
  node_timers->add_timer(timer, std::move(group));
  return timer;
}

}  // namespace rclcpp

#endif  // RCLCPP__CREATE_TIMER_HPP_
