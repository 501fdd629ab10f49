// Creating a service of a node's parts.
#ifndef RCLCPP__CREATE_SERVICE_HPP_
#define RCLCPP__CREATE_SERVICE_HPP_

#include <memory>
#include <string>
#include <utility>

#include "rclcpp/node_interfaces/node_base_interface.hpp"
#include "rclcpp/node_interfaces/node_services_interface.hpp"

namespace rclcpp {

/// The callback's forms: any_service_callback.hpp.
template <class ServiceT, class CallbackT>
typename Service<ServiceT>::SharedPtr create_service(const node_interfaces::NodeServicesInterface::SharedPtr & services,
                                                     const std::string & service_name, CallbackT && callback,
                                                     const QoS & qos = ServicesQoS(),
                                                     CallbackGroup::SharedPtr group = nullptr) {
  auto service = std::make_shared<Service<ServiceT>>(
      services->open_service(tandem::service_type<ServiceT>(), service_name, qos, group),
      std::forward<CallbackT>(callback));
  services->add_service(service, std::move(group));
  return service;
}

/// The first is not needed; rclcpp has it.
template <class ServiceT, class CallbackT>
typename Service<ServiceT>::SharedPtr create_service(const node_interfaces::NodeBaseInterface::SharedPtr &,
                                                     const node_interfaces::NodeServicesInterface::SharedPtr & services,
                                                     const std::string & service_name, CallbackT && callback,
                                                     const QoS & qos = ServicesQoS(),
                                                     CallbackGroup::SharedPtr group = nullptr) {
  return create_service<ServiceT>(services, service_name, std::forward<CallbackT>(callback), qos, std::move(group));
}

template <class ServiceT, class CallbackT>
typename Service<ServiceT>::SharedPtr create_service(const node_interfaces::NodeBaseInterface::SharedPtr &,
                                                     const node_interfaces::NodeServicesInterface::SharedPtr & services,
                                                     const std::string & service_name, CallbackT && callback,
                                                     const rmw_qos_profile_t & qos_profile,
                                                     CallbackGroup::SharedPtr group) {
  return create_service<ServiceT>(services, service_name, std::forward<CallbackT>(callback),
                                  QoS(QoSInitialization::from_rmw(qos_profile), qos_profile), std::move(group));
}

}  // namespace rclcpp

#endif  // RCLCPP__CREATE_SERVICE_HPP_
