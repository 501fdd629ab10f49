// The services by which others see and set a node's parameters.
#pragma once

#include <memory>
#include <vector>

#include "rclcpp/node_interfaces/node_parameters_interface.hpp"
#include "rclcpp/node_interfaces/node_services_interface.hpp"
#include "rclcpp/qos.hpp"

namespace rclcpp::detail {

/// ~/get_parameters, get_parameter_types, set_parameters, set_parameters_atomically, describe_parameters and list_parameters,
/// in the node's default group.
std::vector<ServiceBase::SharedPtr> make_parameter_services(
    const node_interfaces::NodeServicesInterface::SharedPtr & services,
    const node_interfaces::NodeParametersInterface::SharedPtr & parameters, const QoS & qos = ParametersQoS());

}  // namespace rclcpp::detail
