// One node's parameters for another.
#ifndef RCLCPP__COPY_ALL_PARAMETER_VALUES_HPP_
#define RCLCPP__COPY_ALL_PARAMETER_VALUES_HPP_

#include <string>
#include <vector>

#include "rcl_interfaces/msg/parameter_descriptor.hpp"
#include "rclcpp/logging.hpp"
#include "rclcpp/parameter.hpp"

namespace rclcpp {

/// Declares the source's parameters in the destination, with their descriptors. Those that it has are set only if
/// `override_existing_params` says so; what it refuses is warned of.
template <class NodeT1, class NodeT2>
void copy_all_parameter_values(const NodeT1 & source, const NodeT2 & destination,
                               const bool override_existing_params = false) {
  const auto from = source->get_node_parameters_interface();
  const auto to = destination->get_node_parameters_interface();
  const auto listed = from->list_parameters({}, 0).names;
  const std::vector<std::string> names(listed.begin(), listed.end());
  const auto values = from->get_parameters(names);
  const auto descriptors = from->describe_parameters(names);
  for (std::size_t i = 0; i < names.size(); ++i) {
    if (!to->has_parameter(names[i])) {
      to->declare_parameter(names[i], values[i].get_parameter_value(), descriptors[i]);
    } else if (override_existing_params) {
      const auto result = to->set_parameters_atomically({values[i]});
      if (!result.successful) {
        RCLCPP_WARN(get_logger("rclcpp"), "Unable to set parameter (%s): %s!", names[i].c_str(), result.reason.c_str());
      }
    }
  }
}

}  // namespace rclcpp

#endif  // RCLCPP__COPY_ALL_PARAMETER_VALUES_HPP_
