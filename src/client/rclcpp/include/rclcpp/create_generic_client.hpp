// Creating a client of a service by the name of its type.
#ifndef RCLCPP__CREATE_GENERIC_CLIENT_HPP_
#define RCLCPP__CREATE_GENERIC_CLIENT_HPP_

#include <memory>
#include <string>
#include <utility>

#include "rclcpp/generic_client.hpp"
#include "rclcpp/node_interfaces/node_base_interface.hpp"
#include "rclcpp/node_interfaces/node_graph_interface.hpp"
#include "rclcpp/node_interfaces/node_services_interface.hpp"
#include "rclcpp/visibility_control.hpp"

namespace rclcpp {

/// \param service_type "std_srvs/srv/SetBool". \throws as create_client(), and std::runtime_error for a type that no
/// installed package has.
RCLCPP_PUBLIC GenericClient::SharedPtr create_generic_client(
    const node_interfaces::NodeServicesInterface::SharedPtr & services, const std::string & service_name,
    const std::string & service_type, const QoS & qos = ServicesQoS(), CallbackGroup::SharedPtr group = nullptr);

/// The first two are not needed; rclcpp has them.
inline GenericClient::SharedPtr create_generic_client(
    const node_interfaces::NodeBaseInterface::SharedPtr &, const node_interfaces::NodeGraphInterface::SharedPtr &,
    const node_interfaces::NodeServicesInterface::SharedPtr & services, const std::string & service_name,
    const std::string & service_type, const QoS & qos = ServicesQoS(), CallbackGroup::SharedPtr group = nullptr) {
  return create_generic_client(services, service_name, service_type, qos, std::move(group));
}

/// \param node a shared pointer to a node.
template <class NodeT>
GenericClient::SharedPtr create_generic_client(const std::shared_ptr<NodeT> & node, const std::string & service_name,
                                               const std::string & service_type, const QoS & qos = ServicesQoS(),
                                               CallbackGroup::SharedPtr group = nullptr) {
  return create_generic_client(node->get_node_services_interface(), service_name, service_type, qos, std::move(group));
}

}  // namespace rclcpp

#endif  // RCLCPP__CREATE_GENERIC_CLIENT_HPP_
