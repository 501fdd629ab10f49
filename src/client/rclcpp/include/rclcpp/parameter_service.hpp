// The services by which others see and set a node's parameters, for a node that was made without them.
#ifndef RCLCPP__PARAMETER_SERVICE_HPP_
#define RCLCPP__PARAMETER_SERVICE_HPP_

#include <memory>
#include <vector>

#include "rcl_interfaces/srv/describe_parameters.hpp"
#include "rcl_interfaces/srv/get_parameter_types.hpp"
#include "rcl_interfaces/srv/get_parameters.hpp"
#include "rcl_interfaces/srv/list_parameters.hpp"
#include "rcl_interfaces/srv/set_parameters.hpp"
#include "rcl_interfaces/srv/set_parameters_atomically.hpp"
#include "rclcpp/executors.hpp"
#include "rclcpp/macros.hpp"
#include "rclcpp/node.hpp"
#include "rclcpp/parameter.hpp"
#include "rclcpp/qos.hpp"
#include "rclcpp/visibility_control.hpp"

namespace rclcpp {

/// ~/get_parameters and the five others, in the node's default group, for as long as this lives.
/// Thread-safety: as a plain struct; the services run where their group does.
class RCLCPP_PUBLIC ParameterService {
 public:
  RCLCPP_SMART_PTR_DEFINITIONS(ParameterService)

  /// \param parameters not null, and outlives this
  /// Errors: as create_service().
  ParameterService(std::shared_ptr<node_interfaces::NodeBaseInterface> base,
                   std::shared_ptr<node_interfaces::NodeServicesInterface> services,
                   node_interfaces::NodeParametersInterface * parameters, const QoS & qos = ParametersQoS());
  ParameterService(std::shared_ptr<node_interfaces::NodeBaseInterface> base,
                   std::shared_ptr<node_interfaces::NodeServicesInterface> services,
                   node_interfaces::NodeParametersInterface * parameters, const rmw_qos_profile_t & qos);

 private:
  std::shared_ptr<node_interfaces::NodeParametersInterface> parameters_;  // owns nothing; the services watch it
  std::vector<ServiceBase::SharedPtr> services_;
};

}  // namespace rclcpp

#endif  // RCLCPP__PARAMETER_SERVICE_HPP_
