// Where an endpoint's messages go on a network.
#ifndef RCLCPP__NETWORK_FLOW_ENDPOINT_HPP_
#define RCLCPP__NETWORK_FLOW_ENDPOINT_HPP_

#include <cstdint>
#include <ostream>
#include <string>
#include <utility>

#include "rclcpp/visibility_control.hpp"

namespace rclcpp {

class NetworkFlowEndpoint;
RCLCPP_PUBLIC bool operator==(const NetworkFlowEndpoint & a, const NetworkFlowEndpoint & b);
RCLCPP_PUBLIC std::ostream & operator<<(std::ostream & os, const NetworkFlowEndpoint & endpoint);

class NetworkFlowEndpoint {
 public:
  struct Fields {
    std::string transport_protocol;
    std::string internet_protocol;
    std::uint16_t transport_port = 0;
    std::uint32_t flow_label = 0;
    std::uint8_t dscp = 0;
    std::string internet_address;
  };
  explicit NetworkFlowEndpoint(Fields fields) : fields_(std::move(fields)) {}

  const std::string & transport_protocol() const { return fields_.transport_protocol; }
  const std::string & internet_protocol() const { return fields_.internet_protocol; }
  std::uint16_t transport_port() const { return fields_.transport_port; }
  std::uint32_t flow_label() const { return fields_.flow_label; }
  std::uint8_t dscp() const { return fields_.dscp; }
  const std::string & internet_address() const { return fields_.internet_address; }

  friend bool operator!=(const NetworkFlowEndpoint & a, const NetworkFlowEndpoint & b) { return !(a == b); }

 private:
  Fields fields_;
};

}  // namespace rclcpp

#endif  // RCLCPP__NETWORK_FLOW_ENDPOINT_HPP_
