// The states of managed nodes and the steps between them: tables, and where in them a node is.
//
// A transition that somebody asks for is two steps: from a primary state into the state between ("configuring"), in which
// the callback runs, and out of it, by what the callback returned. An error adds a third, out of "errorprocessing".
#pragma once

#include <atomic>
#include <cstdint>
#include <functional>
#include <mutex>
#include <string>
#include <vector>

#include "lifecycle_msgs/msg/state.hpp"
#include "rclcpp_lifecycle/node_interfaces/lifecycle_node_interface.hpp"
#include "rclcpp_lifecycle/state.hpp"

namespace rclcpp_lifecycle {

struct Step {
  std::uint8_t id;
  const char * label;
  std::uint8_t start;  // numbers of states
  std::uint8_t goal;
};

/// In the order in which services list them. Of static lifetime, as their elements.
const std::vector<State> & all_states();
const std::vector<Step> & all_steps();
/// \pre there is a state of that number
const State & state_of(std::uint8_t id);

/// Thread-safe.
class StateMachine {
 public:
  using CallbackReturn = node_interfaces::LifecycleNodeInterface::CallbackReturn;

  /// Begins in "unconfigured". `on_step` is called after each step, with a lock, so in the order of the steps.
  explicit StateMachine(std::function<void(const Step &)> on_step) : on_step_(std::move(on_step)) {}

  const State & current() const { return *current_; }
  std::vector<Step> steps_from_current() const;

  // The step that begins a transition. Null when the current state has no such one, or lies between two primary ones.
  const Step * begin(std::uint8_t transition_id);
  const Step * begin(const std::string & transition_label);
  /// The step out of the current state, which only whoever began the transition may take. \pre it lies between
  void finish(CallbackReturn result);

 private:
  template <class Predicate>
  const Step * take_step(Predicate && is_wanted);

  const std::function<void(const Step &)> on_step_;
  std::mutex mutex_;  // for steps
  std::atomic<const State *> current_{&state_of(lifecycle_msgs::msg::State::PRIMARY_STATE_UNCONFIGURED)};
};

}  // namespace rclcpp_lifecycle
