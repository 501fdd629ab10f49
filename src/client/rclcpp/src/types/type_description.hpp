// Types as messages that describe them.
#pragma once

#include <vector>

#include "tandem/message_type.hpp"
#include "type_description_interfaces/msg/type_description.hpp"
#include "type_description_interfaces/msg/type_source.hpp"

namespace rclcpp::detail {

/// Made of the type's table. Its SHA-256 as JSON (REP 2016) is the type's hash. Fields' default values are not in it.
type_description_interfaces::msg::TypeDescription describe(const tandem::MessageType & type);
/// The same of a service, with its request, its response and its event.
type_description_interfaces::msg::TypeDescription describe(const tandem::ServiceType & type);

/// The files in which the described types are defined, as they are installed. A type that is part of another's definition has no
/// text of its own and the encoding "implicit"; one that is not installed is left out.
std::vector<type_description_interfaces::msg::TypeSource> sources_of(
    const type_description_interfaces::msg::TypeDescription & description);

}  // namespace rclcpp::detail
