// Options of an executor.
#ifndef RCLCPP__EXECUTOR_OPTIONS_HPP_
#define RCLCPP__EXECUTOR_OPTIONS_HPP_

#include <cstddef>

#include "rclcpp/context.hpp"
#include "rclcpp/contexts/default_context.hpp"
#include "rclcpp/memory_strategies.hpp"

namespace rclcpp {

struct ExecutorOptions {
  Context::SharedPtr context = contexts::get_global_default_context();
  size_t max_conditions = 0;                                     ///< no effect
  memory_strategy::MemoryStrategy::SharedPtr memory_strategy{};  ///< no effect
};

}  // namespace rclcpp

#endif  // RCLCPP__EXECUTOR_OPTIONS_HPP_
