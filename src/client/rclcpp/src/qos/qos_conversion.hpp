// Between rclcpp's QoS and the transport's.
#pragma once

#include <cstddef>
#include <string>

#include "rclcpp/qos.hpp"
#include "tandem/transport.hpp"

namespace rclcpp::detail {

/// System defaults become: keep last, depth 10, reliable, volatile. \throws exceptions::RCLInvalidArgument that names the
/// topic and the policy for what is not supported.
tandem::transport::Qos to_transport(const QoS & qos, const std::string & topic, tandem::transport::EndpointKind kind);

/// Messages that a keep-last endpoint keeps.
inline std::size_t history_depth(const QoS & qos) {
  return qos.depth() != 0 ? qos.depth() : tandem::transport::Qos().depth;
}

QoS from_transport(const tandem::transport::Qos & qos);

}  // namespace rclcpp::detail
