// A lifecycle node whose callbacks do what a test wants, and remember that they were called.
#pragma once

#include <functional>
#include <map>
#include <mutex>
#include <stdexcept>
#include <string>
#include <vector>

#include "lifecycle_msgs/msg/state.hpp"
#include "lifecycle_msgs/msg/transition.hpp"
#include "rclcpp_lifecycle/lifecycle_node.hpp"
#include "support.hpp"

namespace test {

using StateId = lifecycle_msgs::msg::State;
using TransitionId = lifecycle_msgs::msg::Transition;
using CallbackReturn = rclcpp_lifecycle::LifecycleNode::CallbackReturn;

class ManagedNode : public rclcpp_lifecycle::LifecycleNode {
 public:
  using LifecycleNode::add_managed_entity;
  using LifecycleNode::add_timer_handle;
  using LifecycleNode::LifecycleNode;

  /// What each callback does, by "configure", "error" and so on. By default it succeeds. To be set before calls.
  std::map<std::string, std::function<CallbackReturn()>> deeds;

  /// "configure from unconfigured in configuring", in order.
  std::vector<std::string> calls() const {
    const std::lock_guard<std::mutex> lock(mutex_);
    return calls_;
  }

  CallbackReturn on_configure(const rclcpp_lifecycle::State & previous) override { return act("configure", previous); }
  CallbackReturn on_cleanup(const rclcpp_lifecycle::State & previous) override { return act("cleanup", previous); }
  CallbackReturn on_shutdown(const rclcpp_lifecycle::State & previous) override { return act("shutdown", previous); }
  CallbackReturn on_error(const rclcpp_lifecycle::State & previous) override { return act("error", previous); }
  CallbackReturn on_activate(const rclcpp_lifecycle::State & previous) override {
    LifecycleNode::on_activate(previous);
    return act("activate", previous);
  }
  CallbackReturn on_deactivate(const rclcpp_lifecycle::State & previous) override {
    LifecycleNode::on_deactivate(previous);
    return act("deactivate", previous);
  }

 private:
  CallbackReturn act(const std::string & name, const rclcpp_lifecycle::State & previous) {
    {
      const std::lock_guard<std::mutex> lock(mutex_);
      calls_.push_back(name + " from " + previous.label() + " in " + get_current_state().label());
    }
    const auto deed = deeds.find(name);
    return deed == deeds.end() ? CallbackReturn::SUCCESS : deed->second();
  }

  mutable std::mutex mutex_;
  std::vector<std::string> calls_;
};

/// Takes a node that is "unconfigured" into another primary state.
inline void bring(rclcpp_lifecycle::LifecycleNode & node, std::uint8_t state) {
  if (state == StateId::PRIMARY_STATE_FINALIZED) node.shutdown();
  if (state == StateId::PRIMARY_STATE_INACTIVE || state == StateId::PRIMARY_STATE_ACTIVE) node.configure();
  if (state == StateId::PRIMARY_STATE_ACTIVE) node.activate();
  ASSERT_EQ(node.get_current_state().id(), state);
}

}  // namespace test
