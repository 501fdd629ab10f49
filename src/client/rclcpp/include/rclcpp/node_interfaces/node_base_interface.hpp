// The part of a node that executors and helpers need: its names, its callback groups, its place in the graph.
#ifndef RCLCPP__NODE_INTERFACES__NODE_BASE_INTERFACE_HPP_
#define RCLCPP__NODE_INTERFACES__NODE_BASE_INTERFACE_HPP_

#include <atomic>
#include <functional>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

#include "rclcpp/callback_group.hpp"
#include "rclcpp/client.hpp"
#include "rclcpp/context.hpp"
#include "rclcpp/logging.hpp"
#include "rclcpp/macros.hpp"
#include "rclcpp/publisher_base.hpp"
#include "rclcpp/publisher_options.hpp"
#include "rclcpp/service.hpp"
#include "rclcpp/subscription_base.hpp"
#include "rclcpp/subscription_options.hpp"
#include "rclcpp/timer.hpp"
#include "rclcpp/visibility_control.hpp"

namespace rclcpp {

class NodeOptions;

namespace node_interfaces {

/// Thread-safe.
class RCLCPP_PUBLIC NodeBaseInterface {
 public:
  RCLCPP_SMART_PTR_ALIASES_ONLY(NodeBaseInterface)
  RCLCPP_DISABLE_COPY(NodeBaseInterface)

  /// \throws exceptions::InvalidNodeNameError, InvalidNamespaceError, RCLError.
  NodeBaseInterface(const std::string & name, const std::string & name_space, const NodeOptions & options);
  ~NodeBaseInterface();

  const char * get_name() const { return name_.name.c_str(); }
  const char * get_namespace() const { return name_.name_space.c_str(); }
  const char * get_fully_qualified_name() const { return fully_qualified_name_.c_str(); }
  Context::SharedPtr get_context() const { return context_; }

  CallbackGroup::SharedPtr create_callback_group(CallbackGroupType type, bool automatically_add = true);
  CallbackGroup::SharedPtr get_default_callback_group() const { return default_group_; }
  bool callback_group_in_node(const CallbackGroup::SharedPtr & group) const;
  void for_each_callback_group(const std::function<void(CallbackGroup::SharedPtr)> & function) const;
  std::atomic_bool & get_associated_with_executor_atomic() { return associated_with_executor_; }

  bool get_use_intra_process_default() const { return use_intra_process_; }

  /// Expands "~", "{node}" and relative names, and remaps.
  /// \throws exceptions::InvalidTopicNameError, InvalidServiceNameError.
  std::string resolve_topic_or_service_name(const std::string & name, bool is_service, bool only_expand = false) const;
  std::string resolve_topic_name(const std::string & name, bool only_expand = false) const {
    return resolve_topic_or_service_name(name, false, only_expand);
  }

  // For the library's own use. Arguments are null when they do not apply.
  const std::shared_ptr<const detail::Arguments> & global_arguments() const { return global_arguments_; }
  const std::shared_ptr<const detail::Arguments> & local_arguments() const { return local_arguments_; }
  detail::PublisherSetup open_publisher(const tandem::MessageType & type, const std::string & topic, const QoS & qos,
                                        const PublisherOptionsBase & options);
  detail::SubscriptionSetup open_subscription(const tandem::MessageType & type, const std::string & topic,
                                              const QoS & qos, const SubscriptionOptionsBase & options);
  detail::ClientSetup open_client(const tandem::ServiceType & type, const std::string & service, const QoS & qos,
                                  CallbackGroup::SharedPtr group);
  detail::ServiceSetup open_service(const tandem::ServiceType & type, const std::string & service, const QoS & qos,
                                    CallbackGroup::SharedPtr group);
  /// \throws std::runtime_error when the group is of another node. A null group means the default one.
  void add_receiver(const std::shared_ptr<detail::Receiver> & receiver, CallbackGroup::SharedPtr group);
  void add_timer(const TimerBase::SharedPtr & timer, CallbackGroup::SharedPtr group);
  tandem::transport::GraphSnapshot graph() const { return transport_->graph(); }
  void set_wakeup(std::weak_ptr<detail::Wakeup> wakeup);

 private:
  CallbackGroup::SharedPtr checked(CallbackGroup::SharedPtr group) const;
  /// Whether an endpoint of the node has it. \throws std::invalid_argument when its QoS forbids it.
  bool is_intra_process(IntraProcessSetting setting, const std::string & topic, const QoS & qos) const;

  const Context::SharedPtr context_;
  const bool use_intra_process_;
  std::shared_ptr<const detail::Arguments> global_arguments_;
  std::shared_ptr<const detail::Arguments> local_arguments_;
  tandem::transport::NodeName name_;
  std::string fully_qualified_name_;
  std::shared_ptr<tandem::transport::Context> transport_;
  std::unique_ptr<tandem::transport::Node> presence_;

  std::atomic_bool associated_with_executor_{false};
  CallbackGroup::SharedPtr default_group_;
  mutable std::mutex mutex_;
  std::vector<std::weak_ptr<CallbackGroup>> groups_;
  std::weak_ptr<detail::Wakeup> wakeup_;
};

}  // namespace node_interfaces
}  // namespace rclcpp

#endif  // RCLCPP__NODE_INTERFACES__NODE_BASE_INTERFACE_HPP_
