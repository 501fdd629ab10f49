// What this process's transport cannot do.
#pragma once

#include <optional>
#include <string>

#include "tandem/transport.hpp"

namespace rclcpp::detail {

/// Why it lacks the feature, with its name: "rmw_x: its queues drop the oldest". Empty: it has the feature. Thread-safe.
std::optional<std::string> why_lacking(tandem::transport::Feature feature);

}  // namespace rclcpp::detail
