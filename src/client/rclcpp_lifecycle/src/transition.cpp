#include "rclcpp_lifecycle/transition.hpp"

#include <stdexcept>
#include <utility>

namespace rclcpp_lifecycle {
namespace {

const rcl_lifecycle_transition_t & checked(const rcl_lifecycle_transition_t * handle) {
  if (handle == nullptr) throw std::runtime_error("a Transition cannot be made of a null handle");
  return *handle;
}

State required(const std::optional<State> & state) {
  if (!state) throw std::runtime_error("this Transition was made without states");
  return *state;
}

}  // namespace

Transition::Transition(std::uint8_t id, const std::string & label, rcutils_allocator_t) : id_(id), label_(label) {}

Transition::Transition(std::uint8_t id, const std::string & label, State && start, State && goal, rcutils_allocator_t)
    : id_(id), label_(label), start_(std::move(start)), goal_(std::move(goal)) {}

Transition::Transition(const rcl_lifecycle_transition_t * handle, rcutils_allocator_t)
    : id_(static_cast<std::uint8_t>(checked(handle).id)), label_(handle->label == nullptr ? "" : handle->label) {
  if (handle->start != nullptr) start_.emplace(handle->start);
  if (handle->goal != nullptr) goal_.emplace(handle->goal);
}

Transition::~Transition() = default;

std::uint8_t Transition::id() const {
  require_content();
  return id_;
}

std::string Transition::label() const {
  require_content();
  return label_;
}

State Transition::start_state() const {
  require_content();
  return required(start_);
}

State Transition::goal_state() const {
  require_content();
  return required(goal_);
}

void Transition::reset() noexcept {
  has_content_ = false;
  start_.reset();
  goal_.reset();
}

void Transition::require_content() const {
  if (!has_content_) throw std::runtime_error("this Transition was reset");
}

}  // namespace rclcpp_lifecycle
