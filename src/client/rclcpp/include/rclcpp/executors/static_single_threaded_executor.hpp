// Kept for its name: the single-threaded executor collects its entities only when they change anyway.
#ifndef RCLCPP__EXECUTORS__STATIC_SINGLE_THREADED_EXECUTOR_HPP_
#define RCLCPP__EXECUTORS__STATIC_SINGLE_THREADED_EXECUTOR_HPP_

#include "rclcpp/executors/single_threaded_executor.hpp"

namespace rclcpp {
namespace executors {

class StaticSingleThreadedExecutor : public SingleThreadedExecutor {
 public:
  RCLCPP_SMART_PTR_DEFINITIONS(StaticSingleThreadedExecutor)
  using SingleThreadedExecutor::SingleThreadedExecutor;
};

}  // namespace executors
}  // namespace rclcpp

#endif  // RCLCPP__EXECUTORS__STATIC_SINGLE_THREADED_EXECUTOR_HPP_
