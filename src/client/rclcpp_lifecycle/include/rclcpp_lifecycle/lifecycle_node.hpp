// A managed node: a node whose state others can ask for and change.
#ifndef RCLCPP_LIFECYCLE__LIFECYCLE_NODE_HPP_
#define RCLCPP_LIFECYCLE__LIFECYCLE_NODE_HPP_

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "rclcpp/detail/node_parts.hpp"
#include "rclcpp_lifecycle/lifecycle_publisher.hpp"
#include "rclcpp_lifecycle/managed_entity.hpp"
#include "rclcpp_lifecycle/node_interfaces/lifecycle_node_interface.hpp"
#include "rclcpp_lifecycle/state.hpp"
#include "rclcpp_lifecycle/transition.hpp"
#include "rclcpp_lifecycle/visibility_control.h"

namespace rclcpp_lifecycle {

template <class AllocatorT>
using PublisherOptionsWithAllocator = rclcpp::PublisherOptionsWithAllocator<AllocatorT>;
template <class AllocatorT>
using SubscriptionOptionsWithAllocator = rclcpp::SubscriptionOptionsWithAllocator<AllocatorT>;

template <class AllocatorT>
PublisherOptionsWithAllocator<AllocatorT> create_default_publisher_options() {
  return {};
}
template <class AllocatorT>
SubscriptionOptionsWithAllocator<AllocatorT> create_default_subscription_options() {
  return {};
}

/// Has the calls of a node (rclcpp/detail/node_parts.hpp), but is no rclcpp::Node: executors take its base interface.
///
/// It begins in the state "unconfigured". It has the services ~/change_state, ~/get_state, ~/get_available_states,
/// ~/get_available_transitions and ~/get_transition_graph (lifecycle_msgs), in its default callback group, and publishes
/// each step on ~/transition_event.
///
/// Thread-safe. Callbacks run in the thread that asked for the transition, without a lock; until one has returned, all
/// further transitions are refused.
class RCLCPP_LIFECYCLE_PUBLIC LifecycleNode : public node_interfaces::LifecycleNodeInterface,
                                              public rclcpp::detail::NodeParts,
                                              public std::enable_shared_from_this<LifecycleNode> {
 public:
  RCLCPP_SMART_PTR_DEFINITIONS(LifecycleNode)
  RCLCPP_DISABLE_COPY(LifecycleNode)

  /// \param enable_communication_interface false: without the services; the topic stays.
  /// \throws as rclcpp::Node.
  explicit LifecycleNode(const std::string & node_name, const rclcpp::NodeOptions & options = rclcpp::NodeOptions(),
                         bool enable_communication_interface = true);
  LifecycleNode(const std::string & node_name, const std::string & namespace_,
                const rclcpp::NodeOptions & options = rclcpp::NodeOptions(),
                bool enable_communication_interface = true);
  /// Changes no state, so calls no callback.
  virtual ~LifecycleNode();

  /// The publisher is activated and deactivated with the node, by on_activate() and on_deactivate() of this class. Those
  /// of create_generic_publisher() and create_publisher_hbmem() are not.
  template <class MessageT, class AllocatorT = std::allocator<void>>
  std::shared_ptr<LifecyclePublisher<MessageT, AllocatorT>> create_publisher(
      const std::string & topic_name, const rclcpp::QoS & qos,
      const PublisherOptionsWithAllocator<AllocatorT> & options = PublisherOptionsWithAllocator<AllocatorT>()) {
    auto publisher = NodeParts::create_publisher<MessageT, AllocatorT, LifecyclePublisher<MessageT, AllocatorT>>(
        topic_name, qos, options);
    add_managed_entity(publisher);
    return publisher;
  }

  /// Of static lifetime: it does not change when the node's state does.
  const State & get_current_state() const;
  /// All states that there are.
  std::vector<State> get_available_states() const;
  /// Those from the current state.
  std::vector<Transition> get_available_transitions() const;
  /// All transitions that there are.
  std::vector<Transition> get_transition_graph() const;

  // Transitions, by number. Each waits for the callback and, after an error, for on_error(). What the current state does
  // not have is refused with a line in the log. `cb_return_code` is set to what the callback returned, ERROR if it threw;
  // it stays as it is when nothing was called. \return the state afterwards.

  const State & trigger_transition(const Transition & transition);
  const State & trigger_transition(const Transition & transition, CallbackReturn & cb_return_code);
  const State & trigger_transition(std::uint8_t transition_id);
  const State & trigger_transition(std::uint8_t transition_id, CallbackReturn & cb_return_code);

  const State & configure();
  const State & configure(CallbackReturn & cb_return_code);
  const State & cleanup();
  const State & cleanup(CallbackReturn & cb_return_code);
  const State & activate();
  const State & activate(CallbackReturn & cb_return_code);
  const State & deactivate();
  const State & deactivate(CallbackReturn & cb_return_code);
  /// From any primary state but "finalized".
  const State & shutdown();
  const State & shutdown(CallbackReturn & cb_return_code);

  // Call `fcn` instead of the virtual function from now on. \return true.

  bool register_on_configure(std::function<CallbackReturn(const State &)> fcn);
  bool register_on_cleanup(std::function<CallbackReturn(const State &)> fcn);
  bool register_on_shutdown(std::function<CallbackReturn(const State &)> fcn);
  bool register_on_activate(std::function<CallbackReturn(const State &)> fcn);
  bool register_on_deactivate(std::function<CallbackReturn(const State &)> fcn);
  bool register_on_error(std::function<CallbackReturn(const State &)> fcn);

  /// Activates the managed entities. Overriders call it.
  CallbackReturn on_activate(const State & previous_state) override;
  /// Deactivates them.
  CallbackReturn on_deactivate(const State & previous_state) override;

 protected:
  /// Shares no ownership.
  void add_managed_entity(std::weak_ptr<ManagedEntityInterface> managed_entity);
  /// Has no effect, as in rclcpp_lifecycle: timers run in every state.
  void add_timer_handle(std::shared_ptr<rclcpp::TimerBase> timer);

 private:
  class LifecycleNodeInterfaceImpl;
  const std::unique_ptr<LifecycleNodeInterfaceImpl> impl_;
};

}  // namespace rclcpp_lifecycle

#endif  // RCLCPP_LIFECYCLE__LIFECYCLE_NODE_HPP_
