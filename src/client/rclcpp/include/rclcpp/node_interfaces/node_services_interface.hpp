// The part of a node that has its services and clients.
#ifndef RCLCPP__NODE_INTERFACES__NODE_SERVICES_INTERFACE_HPP_
#define RCLCPP__NODE_INTERFACES__NODE_SERVICES_INTERFACE_HPP_

#include <memory>
#include <string>

#include "rclcpp/callback_group.hpp"
#include "rclcpp/client.hpp"
#include "rclcpp/macros.hpp"
#include "rclcpp/node_interfaces/detail/node_interfaces_helpers.hpp"
#include "rclcpp/node_interfaces/node_base_interface.hpp"
#include "rclcpp/service.hpp"
#include "rclcpp/visibility_control.hpp"

namespace rclcpp {
namespace node_interfaces {

/// Thread-safe. rclcpp::create_client() and create_service() make both of it.
class RCLCPP_PUBLIC NodeServicesInterface {
 public:
  RCLCPP_SMART_PTR_ALIASES_ONLY(NodeServicesInterface)
  RCLCPP_DISABLE_COPY(NodeServicesInterface)

  explicit NodeServicesInterface(NodeBaseInterface::SharedPtr base) : base_(std::move(base)) {}

  // The node holds them weakly. A null group means the node's default group.
  // \throws exceptions::MissingGroupNodeException when the group is of another node.
  void add_client(ClientBase::SharedPtr client, CallbackGroup::SharedPtr group);
  void add_service(ServiceBase::SharedPtr service, CallbackGroup::SharedPtr group);

  /// Expands and remaps. \throws exceptions::InvalidServiceNameError.
  std::string resolve_service_name(const std::string & name, bool only_expand = false) const {
    return base_->resolve_topic_or_service_name(name, true, only_expand);
  }

  // For the library's own use: what clients and services are constructed from.
  // \throws exceptions::InvalidServiceNameError, RCLInvalidArgument for a QoS that is not supported, RCLError.
  detail::ClientSetup open_client(const tandem::ServiceType & type, const std::string & service, const QoS & qos,
                                  const CallbackGroup::SharedPtr & group);
  detail::ServiceSetup open_service(const tandem::ServiceType & type, const std::string & service, const QoS & qos,
                                    const CallbackGroup::SharedPtr & group);

 private:
  template <class End>
  std::unique_ptr<End> open(const tandem::ServiceType & type, const std::string & service, const QoS & qos) const;

  const NodeBaseInterface::SharedPtr base_;
};
using NodeServices = NodeServicesInterface;

}  // namespace node_interfaces
}  // namespace rclcpp

RCLCPP_NODE_INTERFACE_HELPERS_SUPPORT(rclcpp::node_interfaces::NodeServicesInterface, services)

#endif  // RCLCPP__NODE_INTERFACES__NODE_SERVICES_INTERFACE_HPP_
