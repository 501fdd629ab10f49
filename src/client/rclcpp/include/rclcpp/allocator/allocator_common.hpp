// Allocators of C++ for other types.
#ifndef RCLCPP__ALLOCATOR__ALLOCATOR_COMMON_HPP_
#define RCLCPP__ALLOCATOR__ALLOCATOR_COMMON_HPP_

#include <memory>

#include "rcl/allocator.h"
#include "rclcpp/allocator/allocator_deleter.hpp"

namespace rclcpp {
namespace allocator {

/// The std::allocator_traits of Alloc for T.
template <class T, class Alloc>
using AllocRebind = typename std::allocator_traits<Alloc>::template rebind_traits<T>;

/// That of C: what rclcpp allocates is not for users' allocators.
template <class T, class Alloc>
rcl_allocator_t get_rcl_allocator(Alloc &) {
  return rcl_get_default_allocator();
}

}  // namespace allocator
}  // namespace rclcpp

#endif  // RCLCPP__ALLOCATOR__ALLOCATOR_COMMON_HPP_
