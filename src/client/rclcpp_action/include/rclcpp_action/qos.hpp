// The QoS of status topics.
#ifndef RCLCPP_ACTION__QOS_HPP_
#define RCLCPP_ACTION__QOS_HPP_

#include "rcl_action/default_qos.h"
#include "rclcpp/qos.hpp"

namespace rclcpp_action {

class DefaultActionStatusQoS : public rclcpp::QoS {
 public:
  DefaultActionStatusQoS()
      : QoS(rclcpp::QoSInitialization::from_rmw(rcl_action_qos_profile_status_default),
            rcl_action_qos_profile_status_default) {}
};

}  // namespace rclcpp_action

#endif  // RCLCPP_ACTION__QOS_HPP_
