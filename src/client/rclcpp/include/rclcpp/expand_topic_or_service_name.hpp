// Full names from relative ones.
#ifndef RCLCPP__EXPAND_TOPIC_OR_SERVICE_NAME_HPP_
#define RCLCPP__EXPAND_TOPIC_OR_SERVICE_NAME_HPP_

#include <string>

#include "rclcpp/visibility_control.hpp"

namespace rclcpp {

/// "name" → "/ns/name", "~/name" → "/ns/node/name", "{node}", "{ns}" and "{namespace}" are replaced; no remapping.
/// \throws exceptions::InvalidTopicNameError, InvalidServiceNameError, InvalidNodeNameError, InvalidNamespaceError.
RCLCPP_PUBLIC std::string expand_topic_or_service_name(const std::string & name, const std::string & node_name,
                                                       const std::string & namespace_, bool is_service = false);

}  // namespace rclcpp

#endif  // RCLCPP__EXPAND_TOPIC_OR_SERVICE_NAME_HPP_
