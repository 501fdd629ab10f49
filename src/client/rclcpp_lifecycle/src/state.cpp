#include "rclcpp_lifecycle/state.hpp"

#include <stdexcept>

#include "lifecycle_msgs/msg/state.hpp"

namespace rclcpp_lifecycle {
namespace {

const rcl_lifecycle_state_t & checked(const rcl_lifecycle_state_t * handle) {
  if (handle == nullptr || handle->label == nullptr) {
    throw std::runtime_error("a State cannot be made of a null handle or one without a label");
  }
  return *handle;
}

}  // namespace

State::State(rcutils_allocator_t) : id_(lifecycle_msgs::msg::State::PRIMARY_STATE_UNKNOWN), label_("unknown") {}

State::State(std::uint8_t id, const std::string & label, rcutils_allocator_t) : id_(id), label_(label) {
  if (label_.empty()) throw std::runtime_error("the label of a State cannot be empty");
}

State::State(const rcl_lifecycle_state_t * rcl_lifecycle_state_handle, rcutils_allocator_t allocator)
    : State(checked(rcl_lifecycle_state_handle).id, checked(rcl_lifecycle_state_handle).label, allocator) {}

State::~State() = default;

std::uint8_t State::id() const {
  require_content();
  return id_;
}

std::string State::label() const {
  require_content();
  return label_;
}

void State::reset() noexcept { label_.clear(); }

void State::require_content() const {
  if (label_.empty()) throw std::runtime_error("this State was reset");
}

}  // namespace rclcpp_lifecycle
