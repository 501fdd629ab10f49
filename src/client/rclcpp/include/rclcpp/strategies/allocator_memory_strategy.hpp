// The memory strategy of an allocator.
#ifndef RCLCPP__STRATEGIES__ALLOCATOR_MEMORY_STRATEGY_HPP_
#define RCLCPP__STRATEGIES__ALLOCATOR_MEMORY_STRATEGY_HPP_

#include <memory>

#include "rclcpp/allocator/allocator_common.hpp"
#include "rclcpp/macros.hpp"
#include "rclcpp/memory_strategy.hpp"

namespace rclcpp {
namespace memory_strategies {
namespace allocator_memory_strategy {

/// Accepted and never called: see MemoryStrategy.
template <class Alloc = std::allocator<void>>
class AllocatorMemoryStrategy : public memory_strategy::MemoryStrategy {
 public:
  RCLCPP_SMART_PTR_DEFINITIONS(AllocatorMemoryStrategy)
  AllocatorMemoryStrategy() = default;
  explicit AllocatorMemoryStrategy(std::shared_ptr<Alloc>) {}
};

}  // namespace allocator_memory_strategy
}  // namespace memory_strategies
}  // namespace rclcpp

#endif  // RCLCPP__STRATEGIES__ALLOCATOR_MEMORY_STRATEGY_HPP_
