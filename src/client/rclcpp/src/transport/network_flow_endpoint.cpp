#include "rclcpp/network_flow_endpoint.hpp"

#include <ostream>
#include <tuple>

namespace rclcpp {

bool operator==(const NetworkFlowEndpoint & a, const NetworkFlowEndpoint & b) {
  const auto tied = [](const NetworkFlowEndpoint & e) {
    return std::make_tuple(std::cref(e.transport_protocol()), std::cref(e.internet_protocol()), e.transport_port(),
                           e.flow_label(), e.dscp(), std::cref(e.internet_address()));
  };
  return tied(a) == tied(b);
}

std::ostream & operator<<(std::ostream & os, const NetworkFlowEndpoint & endpoint) {
  return os << "{\"transportProtocol\": \"" << endpoint.transport_protocol() << "\", \"internetProtocol\": \""
            << endpoint.internet_protocol() << "\", \"transportPort\": \"" << endpoint.transport_port()
            << "\", \"flowLabel\": \"" << endpoint.flow_label() << "\", \"dscp\": \"" << int{endpoint.dscp()}
            << "\", \"internetAddress\": \"" << endpoint.internet_address() << "\"}";
}

}  // namespace rclcpp
