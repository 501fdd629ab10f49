// Creating a client of a node's parts.
#ifndef RCLCPP__CREATE_CLIENT_HPP_
#define RCLCPP__CREATE_CLIENT_HPP_

#include <memory>
#include <string>
#include <utility>

#include "rclcpp/node_interfaces/node_base_interface.hpp"
#include "rclcpp/node_interfaces/node_graph_interface.hpp"
#include "rclcpp/node_interfaces/node_services_interface.hpp"

namespace rclcpp {

template <class ServiceT>
typename Client<ServiceT>::SharedPtr create_client(const node_interfaces::NodeServicesInterface::SharedPtr & services,
                                                   const std::string & service_name, const QoS & qos = ServicesQoS(),
                                                   CallbackGroup::SharedPtr group = nullptr) {
  auto client = std::make_shared<Client<ServiceT>>(
      services->open_client(tandem::service_type<ServiceT>(), service_name, qos, group));
  services->add_client(client, std::move(group));
  return client;
}

/// The first two are not needed; rclcpp has them.
template <class ServiceT>
typename Client<ServiceT>::SharedPtr create_client(const node_interfaces::NodeBaseInterface::SharedPtr &,
                                                   const node_interfaces::NodeGraphInterface::SharedPtr &,
                                                   const node_interfaces::NodeServicesInterface::SharedPtr & services,
                                                   const std::string & service_name, const QoS & qos = ServicesQoS(),
                                                   CallbackGroup::SharedPtr group = nullptr) {
  return create_client<ServiceT>(services, service_name, qos, std::move(group));
}

template <class ServiceT>
typename Client<ServiceT>::SharedPtr create_client(const node_interfaces::NodeBaseInterface::SharedPtr &,
                                                   const node_interfaces::NodeGraphInterface::SharedPtr &,
                                                   const node_interfaces::NodeServicesInterface::SharedPtr & services,
                                                   const std::string & service_name,
                                                   const rmw_qos_profile_t & qos_profile,
                                                   CallbackGroup::SharedPtr group) {
  return create_client<ServiceT>(services, service_name, QoS(QoSInitialization::from_rmw(qos_profile), qos_profile),
                                 std::move(group));
}

}  // namespace rclcpp

#endif  // RCLCPP__CREATE_CLIENT_HPP_
