#include "rclcpp_lifecycle/managed_entity.hpp"

namespace rclcpp_lifecycle {

ManagedEntityInterface::~ManagedEntityInterface() = default;

SimpleManagedEntity::~SimpleManagedEntity() = default;

void SimpleManagedEntity::on_activate() { is_activated_ = true; }

void SimpleManagedEntity::on_deactivate() { is_activated_ = false; }

}  // namespace rclcpp_lifecycle
