// What an executor of one's own gets and runs.
#ifndef RCLCPP__ANY_EXECUTABLE_HPP_
#define RCLCPP__ANY_EXECUTABLE_HPP_

#include <functional>
#include <memory>

#include "rclcpp/callback_group.hpp"
#include "rclcpp/client.hpp"
#include "rclcpp/macros.hpp"
#include "rclcpp/node_interfaces/node_base_interface.hpp"
#include "rclcpp/service.hpp"
#include "rclcpp/subscription_base.hpp"
#include "rclcpp/timer.hpp"
#include "rclcpp/visibility_control.hpp"
#include "rclcpp/waitable.hpp"

namespace rclcpp {

class Executor;

/// A subscription, service, client, timer or waitable whose callback is to be called, by Executor::execute_any_executable(). One
/// that is dropped instead leaves its group free again. It must not outlive its executor. Not thread-safe.
struct RCLCPP_PUBLIC AnyExecutable {
  RCLCPP_DISABLE_COPY(AnyExecutable)
  AnyExecutable();
  virtual ~AnyExecutable();

  // One of these is set.
  SubscriptionBase::SharedPtr subscription;
  TimerBase::SharedPtr timer;
  Waitable::SharedPtr waitable;
  ServiceBase::SharedPtr service;
  ClientBase::SharedPtr client;
  CallbackGroup::SharedPtr callback_group;                  ///< busy if it is mutually exclusive
  node_interfaces::NodeBaseInterface::SharedPtr node_base;  ///< whose group it is; null if that node has gone
  std::shared_ptr<void> data;                               ///< of the timer's call, or what the waitable took

 private:
  friend class Executor;
  std::function<void()> give_back_;
};

}  // namespace rclcpp

#endif  // RCLCPP__ANY_EXECUTABLE_HPP_
