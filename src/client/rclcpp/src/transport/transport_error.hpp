// The transport's errors as rclcpp's.
#pragma once

#include "rclcpp/exceptions.hpp"
#include "tandem/transport.hpp"

namespace rclcpp::detail {

/// Returns what `call` returns. \throws exceptions::RCLError for a transport::Error.
template <class Call>
decltype(auto) transport_call(Call && call) {
  try {
    return call();
  } catch (const tandem::transport::Error & error) {
    throw exceptions::RCLError(RCL_RET_ERROR, error.what());
  }
}

}  // namespace rclcpp::detail
