// The services by which others see and set the levels of a process's loggers.
#pragma once

#include <vector>

#include "rclcpp/node_interfaces/node_services_interface.hpp"

namespace rclcpp::detail {

/// ~/get_logger_levels and ~/set_logger_levels, in the node's default group. They are about all loggers of the process;
/// the logger without a name stands for the level of those that have none.
std::vector<ServiceBase::SharedPtr> make_logger_services(
    const node_interfaces::NodeServicesInterface::SharedPtr & services);

}  // namespace rclcpp::detail
