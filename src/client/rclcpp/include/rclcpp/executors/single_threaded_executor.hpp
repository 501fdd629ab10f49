// One thread, the caller's.
#ifndef RCLCPP__EXECUTORS__SINGLE_THREADED_EXECUTOR_HPP_
#define RCLCPP__EXECUTORS__SINGLE_THREADED_EXECUTOR_HPP_

#include "rclcpp/executor.hpp"

namespace rclcpp {
namespace executors {

class RCLCPP_PUBLIC SingleThreadedExecutor : public Executor {
 public:
  RCLCPP_SMART_PTR_DEFINITIONS(SingleThreadedExecutor)
  explicit SingleThreadedExecutor(const ExecutorOptions & options = ExecutorOptions()) : Executor(options) {}
  void spin() override;
};

}  // namespace executors
}  // namespace rclcpp

#endif  // RCLCPP__EXECUTORS__SINGLE_THREADED_EXECUTOR_HPP_
