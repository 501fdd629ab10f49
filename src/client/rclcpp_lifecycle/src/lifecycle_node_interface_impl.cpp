#include "lifecycle_node_interface_impl.hpp"

#include <algorithm>
#include <exception>
#include <utility>

#include "rclcpp/exceptions.hpp"

namespace rclcpp_lifecycle {
namespace {

using rclcpp::detail::NodeParts;

lifecycle_msgs::msg::State to_message(const State & state) {
  lifecycle_msgs::msg::State message;
  message.id = state.id();
  message.label = state.label();
  return message;
}

/// Of a message with a transition and the states that it joins.
template <class Message>
void fill(Message & message, const Step & step) {
  message.transition.id = step.id;
  message.transition.label = step.label;
  message.start_state = to_message(state_of(step.start));
  message.goal_state = to_message(state_of(step.goal));
}

template <class Response>
void fill(Response & response, const std::vector<Step> & steps) {
  response.available_transitions.resize(steps.size());
  for (std::size_t i = 0; i < steps.size(); ++i) fill(response.available_transitions[i], steps[i]);
}

template <class Service, class Answer>
rclcpp::ServiceBase::SharedPtr serve(NodeParts & node, const std::string & name, Answer answer) {
  return node.create_service<Service>(
      "~/" + name, [answer](const std::shared_ptr<typename Service::Request> request,
                            std::shared_ptr<typename Service::Response> response) { answer(*request, *response); });
}

std::string text_of(std::uint8_t transition_id) { return std::to_string(transition_id); }
std::string text_of(const std::string & transition_label) { return "'" + transition_label + "'"; }

}  // namespace

LifecycleNode::LifecycleNodeInterfaceImpl::LifecycleNodeInterfaceImpl(NodeParts & node,
                                                                      bool enable_communication_interface)
    : logger_(node.get_logger()),
      clock_(node.get_clock()),
      events_(node.create_publisher<lifecycle_msgs::msg::TransitionEvent>("~/transition_event", rclcpp::QoS(10))),
      state_machine_([this](const Step & step) { publish(step); }) {
  if (enable_communication_interface) create_services(node);
}

void LifecycleNode::LifecycleNodeInterfaceImpl::create_services(NodeParts & node) {
  services_ = {
      serve<ChangeState>(node, "change_state",
                         [this](const auto & request, auto & response) { on_change_state(request, response); }),
      serve<GetState>(
          node, "get_state",
          [this](const auto &, auto & response) { response.current_state = to_message(state_machine_.current()); }),
      serve<GetAvailableStates>(node, "get_available_states",
                                [](const auto &, auto & response) {
                                  response.available_states.resize(all_states().size());
                                  std::transform(all_states().begin(), all_states().end(),
                                                 response.available_states.begin(), to_message);
                                }),
      serve<GetAvailableTransitions>(
          node, "get_available_transitions",
          [this](const auto &, auto & response) { fill(response, state_machine_.steps_from_current()); }),
      serve<GetAvailableTransitions>(node, "get_transition_graph",
                                     [](const auto &, auto & response) { fill(response, all_steps()); }),
  };
}

void LifecycleNode::LifecycleNodeInterfaceImpl::on_change_state(const ChangeState::Request & request,
                                                                ChangeState::Response & response) {
  CallbackReturn result = CallbackReturn::ERROR;
  const std::string label(request.transition.label.c_str());
  if (label.empty()) {
    change_state(request.transition.id, result);
  } else {
    change_state(label, result);
  }
  response.success = result == CallbackReturn::SUCCESS;
}

template <class Transition>
void LifecycleNode::LifecycleNodeInterfaceImpl::change_state(const Transition & transition, CallbackReturn & result) {
  const Step * begun = state_machine_.begin(transition);
  if (begun == nullptr) {
    RCLCPP_ERROR(logger_, "there is no transition %s from the state '%s': it stays as it is",
                 text_of(transition).c_str(), state_machine_.current().label().c_str());
    return;
  }
  const State & previous = state_of(begun->start);
  result = call_back(previous);
  state_machine_.finish(result);
  if (result != CallbackReturn::SUCCESS && result != CallbackReturn::FAILURE) {
    RCLCPP_WARN(logger_, "the transition '%s' ended in an error: on_error() is called", begun->label);
    state_machine_.finish(call_back(previous));
  }
}

/// What the current state's callback returns. \return ERROR if it throws, SUCCESS if there is none.
LifecycleNode::CallbackReturn LifecycleNode::LifecycleNodeInterfaceImpl::call_back(const State & previous) {
  const State & current = state_machine_.current();
  Callback callback;
  {
    const std::lock_guard<std::mutex> lock(mutex_);
    callback = callbacks_[current.id()];
  }
  try {
    return callback ? callback(previous) : CallbackReturn::SUCCESS;
  } catch (const std::exception & error) {
    RCLCPP_ERROR(logger_, "the callback of the state '%s' threw: %s", current.label().c_str(), error.what());
  } catch (...) {
    RCLCPP_ERROR(logger_, "the callback of the state '%s' threw what is no std::exception", current.label().c_str());
  }
  return CallbackReturn::ERROR;
}

/// A step that nobody can be told of is taken all the same.
void LifecycleNode::LifecycleNodeInterfaceImpl::publish(const Step & step) {
  try {
    auto event = std::make_unique<lifecycle_msgs::msg::TransitionEvent>();
    event->stamp = clock_->now();
    fill(*event, step);
    events_->publish(std::move(event));
  } catch (const rclcpp::exceptions::RCLError & error) {
    RCLCPP_ERROR(logger_, "cannot tell of the state '%s': %s", state_of(step.goal).label().c_str(), error.what());
  }
}

void LifecycleNode::LifecycleNodeInterfaceImpl::register_callback(std::uint8_t state_id, Callback callback) {
  const std::lock_guard<std::mutex> lock(mutex_);
  callbacks_[state_id] = std::move(callback);
}

void LifecycleNode::LifecycleNodeInterfaceImpl::add_managed_entity(std::weak_ptr<ManagedEntityInterface> entity) {
  const std::lock_guard<std::mutex> lock(mutex_);
  entities_.push_back(std::move(entity));
}

std::vector<std::shared_ptr<ManagedEntityInterface>> LifecycleNode::LifecycleNodeInterfaceImpl::living_entities() {
  const std::lock_guard<std::mutex> lock(mutex_);
  entities_.erase(std::remove_if(entities_.begin(), entities_.end(), [](const auto & weak) { return weak.expired(); }),
                  entities_.end());
  std::vector<std::shared_ptr<ManagedEntityInterface>> living;
  for (const auto & weak : entities_) {
    if (auto entity = weak.lock()) living.push_back(std::move(entity));
  }
  return living;
}

void LifecycleNode::LifecycleNodeInterfaceImpl::activate_entities() {
  for (const auto & entity : living_entities()) entity->on_activate();
}

void LifecycleNode::LifecycleNodeInterfaceImpl::deactivate_entities() {
  for (const auto & entity : living_entities()) entity->on_deactivate();
}

}  // namespace rclcpp_lifecycle
