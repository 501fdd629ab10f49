// Something that has happened, or not.
#ifndef RCLCPP__EVENT_HPP_
#define RCLCPP__EVENT_HPP_

#include <atomic>
#include <memory>

#include "rclcpp/macros.hpp"

namespace rclcpp {

/// Thread-safe.
class Event {
 public:
  RCLCPP_SMART_PTR_DEFINITIONS_NOT_COPYABLE(Event)
  Event() = default;

  // Each returns whether it was set before.
  bool set() { return is_set_.exchange(true); }
  bool check() const { return is_set_.load(); }
  bool check_and_clear() { return is_set_.exchange(false); }

 private:
  std::atomic_bool is_set_{false};
};

}  // namespace rclcpp

#endif  // RCLCPP__EVENT_HPP_
