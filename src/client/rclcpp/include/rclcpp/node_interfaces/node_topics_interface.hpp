// The part of a node that has its publishers and subscriptions.
#ifndef RCLCPP__NODE_INTERFACES__NODE_TOPICS_INTERFACE_HPP_
#define RCLCPP__NODE_INTERFACES__NODE_TOPICS_INTERFACE_HPP_

#include <string>

#include "rclcpp/callback_group.hpp"
#include "rclcpp/macros.hpp"
#include "rclcpp/node_interfaces/detail/node_interfaces_helpers.hpp"
#include "rclcpp/node_interfaces/node_base_interface.hpp"
#include "rclcpp/node_interfaces/node_timers_interface.hpp"
#include "rclcpp/publisher_base.hpp"
#include "rclcpp/publisher_options.hpp"
#include "rclcpp/subscription_base.hpp"
#include "rclcpp/subscription_options.hpp"
#include "rclcpp/visibility_control.hpp"

namespace rclcpp {
namespace node_interfaces {

/// Thread-safe. rclcpp::create_publisher() and create_subscription() make endpoints of it.
class RCLCPP_PUBLIC NodeTopicsInterface {
 public:
  RCLCPP_SMART_PTR_ALIASES_ONLY(NodeTopicsInterface)
  RCLCPP_DISABLE_COPY(NodeTopicsInterface)

  NodeTopicsInterface(NodeBaseInterface::SharedPtr base, NodeTimersInterface::SharedPtr timers)
      : base_(std::move(base)), timers_(std::move(timers)) {}

  // A null group means the node's default group. The node holds subscriptions weakly, and publishers not at all.
  // \throws exceptions::MissingGroupNodeException when the group is of another node.
  void add_publisher(PublisherBase::SharedPtr publisher, CallbackGroup::SharedPtr group);
  void add_subscription(SubscriptionBase::SharedPtr subscription, CallbackGroup::SharedPtr group);

  /// Valid for as long as this object.
  NodeBaseInterface * get_node_base_interface() const { return base_.get(); }
  NodeTimersInterface * get_node_timers_interface() const { return timers_.get(); }

  /// Expands and remaps. \throws exceptions::InvalidTopicNameError.
  std::string resolve_topic_name(const std::string & name, bool only_expand = false) const {
    return base_->resolve_topic_name(name, only_expand);
  }

  // For the library's own use: what publishers and subscriptions are constructed from.
  // \throws as the constructors of endpoints: see Node.
  detail::PublisherSetup open_publisher(const tandem::MessageType & type, const std::string & topic, const QoS & qos,
                                        const PublisherOptionsBase & options);
  detail::SubscriptionSetup open_subscription(const tandem::MessageType & type, const std::string & topic,
                                              const QoS & qos, const SubscriptionOptionsBase & options);

 private:
  /// Whether an endpoint of the node has it. \throws std::invalid_argument when its QoS forbids it.
  bool is_intra_process(IntraProcessSetting setting, const std::string & topic, const QoS & qos) const;

  const NodeBaseInterface::SharedPtr base_;
  const NodeTimersInterface::SharedPtr timers_;
};
using NodeTopics = NodeTopicsInterface;

}  // namespace node_interfaces
}  // namespace rclcpp

RCLCPP_NODE_INTERFACE_HELPERS_SUPPORT(rclcpp::node_interfaces::NodeTopicsInterface, topics)

#endif  // RCLCPP__NODE_INTERFACES__NODE_TOPICS_INTERFACE_HPP_
