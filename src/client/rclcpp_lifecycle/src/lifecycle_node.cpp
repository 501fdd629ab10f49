#include "rclcpp_lifecycle/lifecycle_node.hpp"

#include <algorithm>
#include <utility>

#include "lifecycle_node_interface_impl.hpp"

namespace rclcpp_lifecycle {
namespace {

using StateId = lifecycle_msgs::msg::State;
using TransitionId = lifecycle_msgs::msg::Transition;

std::vector<Transition> to_transitions(const std::vector<Step> & steps) {
  std::vector<Transition> transitions;
  transitions.reserve(steps.size());
  for (const Step & step : steps) {
    transitions.emplace_back(step.id, step.label, State(state_of(step.start)), State(state_of(step.goal)));
  }
  return transitions;
}

}  // namespace

LifecycleNode::LifecycleNode(const std::string & node_name, const rclcpp::NodeOptions & options,
                             bool enable_communication_interface)
    : LifecycleNode(node_name, "", options, enable_communication_interface) {}

LifecycleNode::LifecycleNode(const std::string & node_name, const std::string & namespace_,
                             const rclcpp::NodeOptions & options, bool enable_communication_interface)
    : NodeParts(node_name, namespace_, options),
      impl_(std::make_unique<LifecycleNodeInterfaceImpl>(*this, enable_communication_interface)) {
  register_on_configure([this](const State & previous) { return on_configure(previous); });
  register_on_cleanup([this](const State & previous) { return on_cleanup(previous); });
  register_on_shutdown([this](const State & previous) { return on_shutdown(previous); });
  register_on_activate([this](const State & previous) { return on_activate(previous); });
  register_on_deactivate([this](const State & previous) { return on_deactivate(previous); });
  register_on_error([this](const State & previous) { return on_error(previous); });
}

LifecycleNode::~LifecycleNode() = default;

const State & LifecycleNode::get_current_state() const { return impl_->state_machine().current(); }

std::vector<State> LifecycleNode::get_available_states() const { return all_states(); }

std::vector<Transition> LifecycleNode::get_available_transitions() const {
  return to_transitions(impl_->state_machine().steps_from_current());
}

std::vector<Transition> LifecycleNode::get_transition_graph() const { return to_transitions(all_steps()); }

const State & LifecycleNode::trigger_transition(const Transition & transition) {
  return trigger_transition(transition.id());
}
const State & LifecycleNode::trigger_transition(const Transition & transition, CallbackReturn & cb_return_code) {
  return trigger_transition(transition.id(), cb_return_code);
}
const State & LifecycleNode::trigger_transition(std::uint8_t transition_id) {
  CallbackReturn ignored{};
  return trigger_transition(transition_id, ignored);
}
const State & LifecycleNode::trigger_transition(std::uint8_t transition_id, CallbackReturn & cb_return_code) {
  return impl_->trigger_transition(transition_id, cb_return_code);
}

const State & LifecycleNode::configure() { return trigger_transition(TransitionId::TRANSITION_CONFIGURE); }
const State & LifecycleNode::configure(CallbackReturn & cb_return_code) {
  return trigger_transition(TransitionId::TRANSITION_CONFIGURE, cb_return_code);
}
const State & LifecycleNode::cleanup() { return trigger_transition(TransitionId::TRANSITION_CLEANUP); }
const State & LifecycleNode::cleanup(CallbackReturn & cb_return_code) {
  return trigger_transition(TransitionId::TRANSITION_CLEANUP, cb_return_code);
}
const State & LifecycleNode::activate() { return trigger_transition(TransitionId::TRANSITION_ACTIVATE); }
const State & LifecycleNode::activate(CallbackReturn & cb_return_code) {
  return trigger_transition(TransitionId::TRANSITION_ACTIVATE, cb_return_code);
}
const State & LifecycleNode::deactivate() { return trigger_transition(TransitionId::TRANSITION_DEACTIVATE); }
const State & LifecycleNode::deactivate(CallbackReturn & cb_return_code) {
  return trigger_transition(TransitionId::TRANSITION_DEACTIVATE, cb_return_code);
}
const State & LifecycleNode::shutdown() {
  CallbackReturn ignored{};
  return shutdown(ignored);
}
const State & LifecycleNode::shutdown(CallbackReturn & cb_return_code) {
  return impl_->trigger_transition(std::string("shutdown"), cb_return_code);
}

bool LifecycleNode::register_on_configure(std::function<CallbackReturn(const State &)> fcn) {
  impl_->register_callback(StateId::TRANSITION_STATE_CONFIGURING, std::move(fcn));
  return true;
}
bool LifecycleNode::register_on_cleanup(std::function<CallbackReturn(const State &)> fcn) {
  impl_->register_callback(StateId::TRANSITION_STATE_CLEANINGUP, std::move(fcn));
  return true;
}
bool LifecycleNode::register_on_shutdown(std::function<CallbackReturn(const State &)> fcn) {
  impl_->register_callback(StateId::TRANSITION_STATE_SHUTTINGDOWN, std::move(fcn));
  return true;
}
bool LifecycleNode::register_on_activate(std::function<CallbackReturn(const State &)> fcn) {
  impl_->register_callback(StateId::TRANSITION_STATE_ACTIVATING, std::move(fcn));
  return true;
}
bool LifecycleNode::register_on_deactivate(std::function<CallbackReturn(const State &)> fcn) {
  impl_->register_callback(StateId::TRANSITION_STATE_DEACTIVATING, std::move(fcn));
  return true;
}
bool LifecycleNode::register_on_error(std::function<CallbackReturn(const State &)> fcn) {
  impl_->register_callback(StateId::TRANSITION_STATE_ERRORPROCESSING, std::move(fcn));
  return true;
}

LifecycleNode::CallbackReturn LifecycleNode::on_activate(const State &) {
  impl_->activate_entities();
  return CallbackReturn::SUCCESS;
}

LifecycleNode::CallbackReturn LifecycleNode::on_deactivate(const State &) {
  impl_->deactivate_entities();
  return CallbackReturn::SUCCESS;
}

void LifecycleNode::add_managed_entity(std::weak_ptr<ManagedEntityInterface> managed_entity) {
  impl_->add_managed_entity(std::move(managed_entity));
}

void LifecycleNode::add_timer_handle(std::shared_ptr<rclcpp::TimerBase>) {}

}  // namespace rclcpp_lifecycle
