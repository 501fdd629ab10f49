// Creating a service by the name of its type.
#ifndef RCLCPP__CREATE_GENERIC_SERVICE_HPP_
#define RCLCPP__CREATE_GENERIC_SERVICE_HPP_

#include <memory>
#include <string>
#include <utility>

#include "rclcpp/generic_service.hpp"
#include "rclcpp/node_interfaces/node_base_interface.hpp"
#include "rclcpp/node_interfaces/node_services_interface.hpp"
#include "rclcpp/typesupport_helpers.hpp"

namespace rclcpp {

/// The callback's forms: any_service_callback.hpp, with std::shared_ptr<void> for request and response.
/// \param service_type "std_srvs/srv/SetBool". \throws as create_service(), and std::runtime_error for a type that no
/// installed package has.
template <class CallbackT>
GenericService::SharedPtr create_generic_service(const node_interfaces::NodeServicesInterface::SharedPtr & services,
                                                 const std::string & service_name, const std::string & service_type,
                                                 CallbackT && callback, const QoS & qos = ServicesQoS(),
                                                 CallbackGroup::SharedPtr group = nullptr) {
  GenericServiceCallback any_callback;
  any_callback.set(std::forward<CallbackT>(callback));
  auto service = std::make_shared<GenericService>(
      services->open_service(detail::service_type_by_name(service_type), service_name, qos, group),
      std::move(any_callback));
  services->add_service(service, std::move(group));
  return service;
}

/// The first is not needed; rclcpp has it.
template <class CallbackT>
GenericService::SharedPtr create_generic_service(const node_interfaces::NodeBaseInterface::SharedPtr &,
                                                 const node_interfaces::NodeServicesInterface::SharedPtr & services,
                                                 const std::string & service_name, const std::string & service_type,
                                                 CallbackT && callback, const QoS & qos = ServicesQoS(),
                                                 CallbackGroup::SharedPtr group = nullptr) {
  return create_generic_service(services, service_name, service_type, std::forward<CallbackT>(callback), qos,
                                std::move(group));
}

/// \param node a shared pointer to a node.
template <class NodeT, class CallbackT>
GenericService::SharedPtr create_generic_service(const std::shared_ptr<NodeT> & node, const std::string & service_name,
                                                 const std::string & service_type, CallbackT && callback,
                                                 const QoS & qos = ServicesQoS(),
                                                 CallbackGroup::SharedPtr group = nullptr) {
  return create_generic_service(node->get_node_services_interface(), service_name, service_type,
                                std::forward<CallbackT>(callback), qos, std::move(group));
}

}  // namespace rclcpp

#endif  // RCLCPP__CREATE_GENERIC_SERVICE_HPP_
