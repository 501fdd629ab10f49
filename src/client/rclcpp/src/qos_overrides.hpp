// QoS policies that a node's parameters change.
#pragma once

#include <string>

#include "rclcpp/node_interfaces/node_parameters_interface.hpp"
#include "rclcpp/qos.hpp"

namespace rclcpp::detail {

/// `qos` with the history, depth, reliability and durability of the parameters "qos_overrides.<topic>.subscription.<policy>".
/// Declares those that are not declared, read-only.
/// \throws std::invalid_argument for a value that is none of its policy, exceptions::InvalidParameterTypeException.
QoS with_overrides(const QoS & qos, const std::string & topic, node_interfaces::NodeParametersInterface & parameters);

}  // namespace rclcpp::detail
