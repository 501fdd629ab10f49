// What a lifecycle node does beside being a node: it keeps its state, calls the callbacks, and answers its services.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

#include "lifecycle_msgs/msg/transition_event.hpp"
#include "lifecycle_msgs/srv/change_state.hpp"
#include "lifecycle_msgs/srv/get_available_states.hpp"
#include "lifecycle_msgs/srv/get_available_transitions.hpp"
#include "lifecycle_msgs/srv/get_state.hpp"
#include "rclcpp_lifecycle/lifecycle_node.hpp"
#include "state_machine.hpp"

namespace rclcpp_lifecycle {

/// Thread-safe.
class LifecycleNode::LifecycleNodeInterfaceImpl {
 public:
  using CallbackReturn = LifecycleNodeInterface::CallbackReturn;
  using Callback = std::function<CallbackReturn(const State &)>;

  LifecycleNodeInterfaceImpl(rclcpp::detail::NodeParts & node, bool enable_communication_interface);

  const StateMachine & state_machine() const { return state_machine_; }

  /// By number or by label. Sets `result` if a callback was called. \return the state afterwards.
  template <class Transition>
  const State & trigger_transition(const Transition & transition, CallbackReturn & result) {
    change_state(transition, result);
    return state_machine_.current();
  }

  /// \param state_id of the state in which it is called.
  void register_callback(std::uint8_t state_id, Callback callback);

  void add_managed_entity(std::weak_ptr<ManagedEntityInterface> entity);
  void activate_entities();
  void deactivate_entities();

 private:
  using ChangeState = lifecycle_msgs::srv::ChangeState;
  using GetState = lifecycle_msgs::srv::GetState;
  using GetAvailableStates = lifecycle_msgs::srv::GetAvailableStates;
  using GetAvailableTransitions = lifecycle_msgs::srv::GetAvailableTransitions;

  template <class Transition>
  void change_state(const Transition & transition, CallbackReturn & result);
  CallbackReturn call_back(const State & previous);
  void publish(const Step & step);
  void create_services(rclcpp::detail::NodeParts & node);
  void on_change_state(const ChangeState::Request & request, ChangeState::Response & response);
  std::vector<std::shared_ptr<ManagedEntityInterface>> living_entities();

  const rclcpp::Logger logger_;
  const rclcpp::Clock::SharedPtr clock_;
  rclcpp::Publisher<lifecycle_msgs::msg::TransitionEvent>::SharedPtr events_;
  StateMachine state_machine_;
  std::mutex mutex_;  // for what follows
  std::map<std::uint8_t, Callback> callbacks_;
  std::vector<std::weak_ptr<ManagedEntityInterface>> entities_;
  std::vector<rclcpp::ServiceBase::SharedPtr> services_;  // their callbacks use all of the above
};

}  // namespace rclcpp_lifecycle
