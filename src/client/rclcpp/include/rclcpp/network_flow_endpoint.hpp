// Where an endpoint's messages go on a network.
#ifndef RCLCPP__NETWORK_FLOW_ENDPOINT_HPP_
#define RCLCPP__NETWORK_FLOW_ENDPOINT_HPP_

#include <cstdint>
#include <ostream>
#include <string>
#include <tuple>
#include <utility>

namespace rclcpp {

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

  friend bool operator==(const NetworkFlowEndpoint & a, const NetworkFlowEndpoint & b) { return a.tied() == b.tied(); }
  friend bool operator!=(const NetworkFlowEndpoint & a, const NetworkFlowEndpoint & b) { return !(a == b); }
  friend std::ostream & operator<<(std::ostream & os, const NetworkFlowEndpoint & e) {
    return os << "{\"transportProtocol\": \"" << e.transport_protocol() << "\", \"internetProtocol\": \""
              << e.internet_protocol() << "\", \"transportPort\": \"" << e.transport_port() << "\", \"flowLabel\": \""
              << e.flow_label() << "\", \"dscp\": \"" << int{e.dscp()} << "\", \"internetAddress\": \""
              << e.internet_address() << "\"}";
  }

 private:
  std::tuple<const std::string &, const std::string &, int, std::uint32_t, int, const std::string &> tied() const {
    return {transport_protocol(), internet_protocol(), transport_port(), flow_label(), dscp(), internet_address()};
  }

  Fields fields_;
};

}  // namespace rclcpp

#endif  // RCLCPP__NETWORK_FLOW_ENDPOINT_HPP_
