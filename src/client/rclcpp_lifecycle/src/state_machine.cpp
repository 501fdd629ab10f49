#include "state_machine.hpp"

#include <algorithm>
#include <iterator>
#include <utility>

#include "lifecycle_msgs/msg/transition.hpp"

namespace rclcpp_lifecycle {
namespace {

using Id = lifecycle_msgs::msg::State;
using To = lifecycle_msgs::msg::Transition;

constexpr const char * kSuccess = "transition_success";
constexpr const char * kFailure = "transition_failure";
constexpr const char * kError = "transition_error";

const char * label_of(StateMachine::CallbackReturn result) {
  if (result == StateMachine::CallbackReturn::SUCCESS) return kSuccess;
  return result == StateMachine::CallbackReturn::FAILURE ? kFailure : kError;
}

bool lies_between(const State & state) { return state.id() >= Id::TRANSITION_STATE_CONFIGURING; }

}  // namespace

const std::vector<State> & all_states() {
  static const auto & states = *new std::vector<State>{
      {Id::PRIMARY_STATE_UNKNOWN, "unknown"},
      {Id::PRIMARY_STATE_UNCONFIGURED, "unconfigured"},
      {Id::PRIMARY_STATE_INACTIVE, "inactive"},
      {Id::PRIMARY_STATE_ACTIVE, "active"},
      {Id::PRIMARY_STATE_FINALIZED, "finalized"},
      {Id::TRANSITION_STATE_CONFIGURING, "configuring"},
      {Id::TRANSITION_STATE_CLEANINGUP, "cleaningup"},
      {Id::TRANSITION_STATE_SHUTTINGDOWN, "shuttingdown"},
      {Id::TRANSITION_STATE_ACTIVATING, "activating"},
      {Id::TRANSITION_STATE_DEACTIVATING, "deactivating"},
      {Id::TRANSITION_STATE_ERRORPROCESSING, "errorprocessing"},
  };
  return states;
}

const std::vector<Step> & all_steps() {
  constexpr auto kUnconfigured = Id::PRIMARY_STATE_UNCONFIGURED;
  constexpr auto kInactive = Id::PRIMARY_STATE_INACTIVE;
  constexpr auto kActive = Id::PRIMARY_STATE_ACTIVE;
  constexpr auto kFinalized = Id::PRIMARY_STATE_FINALIZED;
  constexpr auto kConfiguring = Id::TRANSITION_STATE_CONFIGURING;
  constexpr auto kCleaningUp = Id::TRANSITION_STATE_CLEANINGUP;
  constexpr auto kActivating = Id::TRANSITION_STATE_ACTIVATING;
  constexpr auto kDeactivating = Id::TRANSITION_STATE_DEACTIVATING;
  constexpr auto kShuttingDown = Id::TRANSITION_STATE_SHUTTINGDOWN;
  constexpr auto kErrorProcessing = Id::TRANSITION_STATE_ERRORPROCESSING;
  static const auto & steps = *new std::vector<Step>{
      {To::TRANSITION_CONFIGURE, "configure", kUnconfigured, kConfiguring},
      {To::TRANSITION_ON_CONFIGURE_SUCCESS, kSuccess, kConfiguring, kInactive},
      {To::TRANSITION_ON_CONFIGURE_FAILURE, kFailure, kConfiguring, kUnconfigured},
      {To::TRANSITION_ON_CONFIGURE_ERROR, kError, kConfiguring, kErrorProcessing},
      {To::TRANSITION_CLEANUP, "cleanup", kInactive, kCleaningUp},
      {To::TRANSITION_ON_CLEANUP_SUCCESS, kSuccess, kCleaningUp, kUnconfigured},
      {To::TRANSITION_ON_CLEANUP_FAILURE, kFailure, kCleaningUp, kInactive},
      {To::TRANSITION_ON_CLEANUP_ERROR, kError, kCleaningUp, kErrorProcessing},
      {To::TRANSITION_ACTIVATE, "activate", kInactive, kActivating},
      {To::TRANSITION_ON_ACTIVATE_SUCCESS, kSuccess, kActivating, kActive},
      {To::TRANSITION_ON_ACTIVATE_FAILURE, kFailure, kActivating, kInactive},
      {To::TRANSITION_ON_ACTIVATE_ERROR, kError, kActivating, kErrorProcessing},
      {To::TRANSITION_DEACTIVATE, "deactivate", kActive, kDeactivating},
      {To::TRANSITION_ON_DEACTIVATE_SUCCESS, kSuccess, kDeactivating, kInactive},
      {To::TRANSITION_ON_DEACTIVATE_FAILURE, kFailure, kDeactivating, kActive},
      {To::TRANSITION_ON_DEACTIVATE_ERROR, kError, kDeactivating, kErrorProcessing},
      {To::TRANSITION_UNCONFIGURED_SHUTDOWN, "shutdown", kUnconfigured, kShuttingDown},
      {To::TRANSITION_INACTIVE_SHUTDOWN, "shutdown", kInactive, kShuttingDown},
      {To::TRANSITION_ACTIVE_SHUTDOWN, "shutdown", kActive, kShuttingDown},
      {To::TRANSITION_ON_SHUTDOWN_SUCCESS, kSuccess, kShuttingDown, kFinalized},
      {To::TRANSITION_ON_SHUTDOWN_FAILURE, kFailure, kShuttingDown, kFinalized},
      {To::TRANSITION_ON_SHUTDOWN_ERROR, kError, kShuttingDown, kErrorProcessing},
      {To::TRANSITION_ON_ERROR_SUCCESS, kSuccess, kErrorProcessing, kUnconfigured},
      {To::TRANSITION_ON_ERROR_FAILURE, kFailure, kErrorProcessing, kFinalized},
      {To::TRANSITION_ON_ERROR_ERROR, kError, kErrorProcessing, kFinalized},
  };
  return steps;
}

const State & state_of(std::uint8_t id) {
  return *std::find_if(all_states().begin(), all_states().end(),
                       [id](const State & state) { return state.id() == id; });
}

std::vector<Step> StateMachine::steps_from_current() const {
  const std::uint8_t start = current().id();
  std::vector<Step> steps;
  std::copy_if(all_steps().begin(), all_steps().end(), std::back_inserter(steps),
               [start](const Step & step) { return step.start == start; });
  return steps;
}

const Step * StateMachine::begin(std::uint8_t transition_id) {
  return take_step(
      [&](const State & state, const Step & step) { return !lies_between(state) && step.id == transition_id; });
}

const Step * StateMachine::begin(const std::string & transition_label) {
  return take_step(
      [&](const State & state, const Step & step) { return !lies_between(state) && step.label == transition_label; });
}

void StateMachine::finish(CallbackReturn result) {
  take_step([label = std::string(label_of(result))](const State &, const Step & step) { return step.label == label; });
}

template <class Predicate>
const Step * StateMachine::take_step(Predicate && is_wanted) {
  const std::lock_guard<std::mutex> lock(mutex_);
  const State & state = current();
  for (const Step & step : all_steps()) {
    if (step.start == state.id() && is_wanted(state, step)) {
      current_ = &state_of(step.goal);
      on_step_(step);
      return &step;
    }
  }
  return nullptr;
}

}  // namespace rclcpp_lifecycle
