// QoS profiles.
#pragma once

#include "rclcpp/qos.hpp"
#include "tandem_py/python.hpp"

namespace tandem_py {

/// A profile that Python gives, or the one of rmw's defaults for None.
rclcpp::QoS qos_of(const py::object & profile, const rmw_qos_profile_t & otherwise = rmw_qos_profile_default);
/// The keywords of rclpy.qos.QoSProfile.
py::dict to_dict(const rmw_qos_profile_t & profile);

void add_qos(py::module_ & module);

}  // namespace tandem_py
