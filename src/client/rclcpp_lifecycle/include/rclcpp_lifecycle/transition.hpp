// A transition of a managed node.
#ifndef RCLCPP_LIFECYCLE__TRANSITION_HPP_
#define RCLCPP_LIFECYCLE__TRANSITION_HPP_

#include <cstdint>
#include <optional>
#include <string>

#include "rcl_lifecycle/data_types.h"
#include "rclcpp_lifecycle/state.hpp"
#include "rclcpp_lifecycle/visibility_control.h"
#include "rcutils/allocator.h"

namespace rclcpp_lifecycle {

/// A value: number, label and, if it was made with them, the states that it joins. The numbers are those of
/// lifecycle_msgs/msg/Transition. Allocators have no effect.
class RCLCPP_LIFECYCLE_PUBLIC Transition {
 public:
  Transition() = delete;
  explicit Transition(std::uint8_t id, const std::string & label = "",
                      rcutils_allocator_t allocator = rcutils_get_default_allocator());
  Transition(std::uint8_t id, const std::string & label, State && start, State && goal,
             rcutils_allocator_t allocator = rcutils_get_default_allocator());
  /// Copies what the handle holds. \throws std::runtime_error for null.
  explicit Transition(const rcl_lifecycle_transition_t * rcl_lifecycle_transition_handle,
                      rcutils_allocator_t allocator = rcutils_get_default_allocator());
  Transition(const Transition &) = default;
  Transition & operator=(const Transition &) = default;
  virtual ~Transition();

  // \throws std::runtime_error after reset().
  std::uint8_t id() const;
  std::string label() const;
  // \throws std::runtime_error, too, when it was made without.
  State start_state() const;
  State goal_state() const;

 protected:
  /// Leaves nothing that could be asked for.
  void reset() noexcept;

 private:
  void require_content() const;

  bool has_content_ = true;
  std::uint8_t id_;
  std::string label_;
  std::optional<State> start_;
  std::optional<State> goal_;
};

}  // namespace rclcpp_lifecycle

#endif  // RCLCPP_LIFECYCLE__TRANSITION_HPP_
