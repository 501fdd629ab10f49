// The part of a node that executors and the other parts need: its names, its callback groups, its presence in the
// graph.
#ifndef RCLCPP__NODE_INTERFACES__NODE_BASE_INTERFACE_HPP_
#define RCLCPP__NODE_INTERFACES__NODE_BASE_INTERFACE_HPP_

#include <atomic>
#include <functional>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

#include "rclcpp/callback_group.hpp"
#include "rclcpp/context.hpp"
#include "rclcpp/guard_condition.hpp"
#include "rclcpp/logging.hpp"
#include "rclcpp/macros.hpp"
#include "rclcpp/node_interfaces/detail/node_interfaces_helpers.hpp"
#include "rclcpp/visibility_control.hpp"
#include "tandem/transport.hpp"

namespace rclcpp {

class NodeOptions;

namespace detail {
class UsedTypes;
}  // namespace detail

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

  /// Triggered when something was added to the node or to its groups. Executors of this library need none.
  GuardCondition::SharedPtr get_shared_notify_guard_condition();
  GuardCondition & get_notify_guard_condition() { return *get_shared_notify_guard_condition(); }
  void trigger_notify_guard_condition();

  bool get_use_intra_process_default() const { return use_intra_process_; }
  bool get_enable_topic_statistics_default() const { return enable_topic_statistics_; }

  /// Expands "~", "{node}" and relative names, and remaps.
  /// \throws exceptions::InvalidTopicNameError, InvalidServiceNameError.
  std::string resolve_topic_or_service_name(const std::string & name, bool is_service, bool only_expand = false) const;
  std::string resolve_topic_name(const std::string & name, bool only_expand = false) const {
    return resolve_topic_or_service_name(name, false, only_expand);
  }

  // For the library's own use. Arguments are null when they do not apply.
  const std::shared_ptr<const detail::Arguments> & global_arguments() const { return global_arguments_; }
  const std::shared_ptr<const detail::Arguments> & local_arguments() const { return local_arguments_; }
  const tandem::transport::NodeName & transport_name() const { return name_; }
  const std::shared_ptr<tandem::transport::Context> & transport() const { return transport_; }
  const std::shared_ptr<detail::UsedTypes> & used_types() const { return used_types_; }
  /// Null means the default one. \throws exceptions::MissingGroupNodeException for a group of another node.
  /// \param what is to be put there: "timer".
  CallbackGroup::SharedPtr group_or_default(CallbackGroup::SharedPtr group, const char * what) const;
  void set_wakeup(std::weak_ptr<detail::Wakeup> wakeup);

 private:
  const Context::SharedPtr context_;
  const bool use_intra_process_;
  const bool enable_topic_statistics_;
  std::shared_ptr<const detail::Arguments> global_arguments_;
  std::shared_ptr<const detail::Arguments> local_arguments_;
  tandem::transport::NodeName name_;
  std::string fully_qualified_name_;
  std::shared_ptr<tandem::transport::Context> transport_;
  const std::shared_ptr<detail::UsedTypes> used_types_;
  std::unique_ptr<tandem::transport::Node> presence_;

  std::atomic_bool associated_with_executor_{false};
  CallbackGroup::SharedPtr default_group_;
  mutable std::mutex mutex_;
  std::vector<std::weak_ptr<CallbackGroup>> groups_;
  std::weak_ptr<detail::Wakeup> wakeup_;
  GuardCondition::SharedPtr notify_;  // made for the first who asks
};
using NodeBase = NodeBaseInterface;

}  // namespace node_interfaces
}  // namespace rclcpp

RCLCPP_NODE_INTERFACE_HELPERS_SUPPORT(rclcpp::node_interfaces::NodeBaseInterface, base)

#endif  // RCLCPP__NODE_INTERFACES__NODE_BASE_INTERFACE_HPP_
