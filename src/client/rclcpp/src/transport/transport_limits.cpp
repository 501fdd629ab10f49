#include "transport/transport_limits.hpp"

#include "tandem/plugin.hpp"

namespace rclcpp::detail {

std::optional<std::string> why_lacking(tandem::transport::Feature feature) {
  const auto & transport = tandem::transport::load();
  for (const auto & limit : transport.limits()) {
    if (limit.feature == feature) return std::string(transport.name()) + ": " + limit.reason;
  }
  return std::nullopt;
}

}  // namespace rclcpp::detail
