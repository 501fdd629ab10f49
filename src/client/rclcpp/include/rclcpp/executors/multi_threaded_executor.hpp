// Several threads; callback groups say what may run at the same time.
#ifndef RCLCPP__EXECUTORS__MULTI_THREADED_EXECUTOR_HPP_
#define RCLCPP__EXECUTORS__MULTI_THREADED_EXECUTOR_HPP_

#include <chrono>
#include <cstddef>

#include "rclcpp/executor.hpp"

namespace rclcpp {
namespace executors {

class RCLCPP_PUBLIC MultiThreadedExecutor : public Executor {
 public:
  RCLCPP_SMART_PTR_DEFINITIONS(MultiThreadedExecutor)

  /// \param number_of_threads the caller's included; 0: one per processor, at least two.
  explicit MultiThreadedExecutor(const ExecutorOptions & options = ExecutorOptions(), size_t number_of_threads = 0,
                                 bool yield_before_execute = false,
                                 std::chrono::nanoseconds timeout = std::chrono::nanoseconds(-1));
  /// An exception of a callback on a thread other than the caller's ends the process.
  void spin() override;
  size_t get_number_of_threads() const { return number_of_threads_; }

 private:
  const size_t number_of_threads_;
};

}  // namespace executors
}  // namespace rclcpp

#endif  // RCLCPP__EXECUTORS__MULTI_THREADED_EXECUTOR_HPP_
