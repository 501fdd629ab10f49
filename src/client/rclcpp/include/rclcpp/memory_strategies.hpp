// The default memory strategy.
#ifndef RCLCPP__MEMORY_STRATEGIES_HPP_
#define RCLCPP__MEMORY_STRATEGIES_HPP_

#include <memory>

#include "rclcpp/memory_strategy.hpp"

namespace rclcpp {
namespace memory_strategies {

inline memory_strategy::MemoryStrategy::SharedPtr create_default_strategy() {
  return std::make_shared<memory_strategy::MemoryStrategy>();
}

}  // namespace memory_strategies
}  // namespace rclcpp

#endif  // RCLCPP__MEMORY_STRATEGIES_HPP_
