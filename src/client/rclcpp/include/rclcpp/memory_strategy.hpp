// Where an executor's memory comes from, for programs that name it: executors keep what they need and allocate nothing as they
// spin.
#ifndef RCLCPP__MEMORY_STRATEGY_HPP_
#define RCLCPP__MEMORY_STRATEGY_HPP_

#include "rclcpp/macros.hpp"

namespace rclcpp {
namespace memory_strategy {

/// Executors accept one and never call it.
class MemoryStrategy {
 public:
  RCLCPP_SMART_PTR_ALIASES_ONLY(MemoryStrategy)
  virtual ~MemoryStrategy() = default;
};

}  // namespace memory_strategy
}  // namespace rclcpp

#endif  // RCLCPP__MEMORY_STRATEGY_HPP_
