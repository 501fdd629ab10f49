// A state of a managed node.
#ifndef RCLCPP_LIFECYCLE__STATE_HPP_
#define RCLCPP_LIFECYCLE__STATE_HPP_

#include <cstdint>
#include <string>

#include "rcl_lifecycle/data_types.h"
#include "rclcpp_lifecycle/visibility_control.h"
#include "rcutils/allocator.h"

namespace rclcpp_lifecycle {

/// A value: number and label. The numbers are those of lifecycle_msgs/msg/State. Allocators have no effect.
class RCLCPP_LIFECYCLE_PUBLIC State {
 public:
  /// PRIMARY_STATE_UNKNOWN, "unknown".
  explicit State(rcutils_allocator_t allocator = rcutils_get_default_allocator());
  /// \throws std::runtime_error for an empty label.
  State(std::uint8_t id, const std::string & label, rcutils_allocator_t allocator = rcutils_get_default_allocator());
  /// Copies what the handle holds. \throws std::runtime_error for null.
  explicit State(const rcl_lifecycle_state_t * rcl_lifecycle_state_handle,
                 rcutils_allocator_t allocator = rcutils_get_default_allocator());
  State(const State &) = default;
  State & operator=(const State &) = default;
  virtual ~State();

  // \throws std::runtime_error after reset().
  std::uint8_t id() const;
  std::string label() const;

 protected:
  /// Leaves nothing that could be asked for.
  void reset() noexcept;

 private:
  void require_content() const;

  std::uint8_t id_;
  std::string label_;  // empty after reset()
};

}  // namespace rclcpp_lifecycle

#endif  // RCLCPP_LIFECYCLE__STATE_HPP_
