// What a lifecycle node activates and deactivates along with itself.
#ifndef RCLCPP_LIFECYCLE__MANAGED_ENTITY_HPP_
#define RCLCPP_LIFECYCLE__MANAGED_ENTITY_HPP_

#include <atomic>

#include "rclcpp_lifecycle/visibility_control.h"

namespace rclcpp_lifecycle {

class RCLCPP_LIFECYCLE_PUBLIC ManagedEntityInterface {
 public:
  virtual ~ManagedEntityInterface();
  virtual void on_activate() = 0;
  virtual void on_deactivate() = 0;
};

/// Remembers which of the two was called last; not activated at first. Thread-safe.
class RCLCPP_LIFECYCLE_PUBLIC SimpleManagedEntity : public ManagedEntityInterface {
 public:
  ~SimpleManagedEntity() override;
  void on_activate() override;
  void on_deactivate() override;
  bool is_activated() const { return is_activated_; }

 private:
  std::atomic<bool> is_activated_{false};
};

}  // namespace rclcpp_lifecycle

#endif  // RCLCPP_LIFECYCLE__MANAGED_ENTITY_HPP_
