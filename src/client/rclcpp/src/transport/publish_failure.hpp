// What a user is told when something could not be published.
#pragma once

#include <string>

#include "tandem/transport.hpp"

namespace rclcpp::detail {

/// \throws exceptions::RCLError: `what` has failed, and the remedy.
[[noreturn]] void throw_publish_failure(const std::string & what, tandem::transport::PublishResult result);

}  // namespace rclcpp::detail
