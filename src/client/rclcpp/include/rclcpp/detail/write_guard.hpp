// Naming the culprit when a callback writes through a pointer into a publisher's read-only memory.
#ifndef RCLCPP__DETAIL__WRITE_GUARD_HPP_
#define RCLCPP__DETAIL__WRITE_GUARD_HPP_

#include <cstddef>
#include <string>

#include "rclcpp/subscription_base.hpp"

namespace rclcpp {
namespace detail {

/// \return a callback that remembers where its last messages (of `size` bytes) lay and calls `deliver`. A SIGSEGV
/// inside one of them prints one line with the topic and the remedy; then the signal takes its former course.
RCLCPP_PUBLIC SampleCallback guard_against_writes(const std::string & topic, std::size_t size, SampleCallback deliver);

}  // namespace detail
}  // namespace rclcpp

#endif  // RCLCPP__DETAIL__WRITE_GUARD_HPP_
