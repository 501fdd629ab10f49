// Types whose names are known at run time only: "std_msgs/msg/String", and also "std_msgs/String".
//
// The identifier is "rosidl_typesupport_cpp" always: a package of interfaces has no other library. All throw std::runtime_error
// that says what was looked for, and where.
#ifndef RCLCPP__TYPESUPPORT_HELPERS_HPP_
#define RCLCPP__TYPESUPPORT_HELPERS_HPP_

#include <memory>
#include <string>

#include "rclcpp/visibility_control.hpp"
#include "rcpputils/shared_library.hpp"
#include "rosidl_runtime_cpp/message_type_support_decl.hpp"
#include "rosidl_runtime_cpp/service_type_support_decl.hpp"
#include "tandem/message_type.hpp"

namespace rclcpp {

/// The library that has the type: of a message, of a service, or of one of its messages. It stays loaded.
RCLCPP_PUBLIC std::shared_ptr<rcpputils::SharedLibrary> get_typesupport_library(
    const std::string & type, const std::string & typesupport_identifier);

// Of a message or a service that is in the library. The handle lives for ever.
RCLCPP_PUBLIC const rosidl_message_type_support_t * get_message_typesupport_handle(
    const std::string & type, const std::string & typesupport_identifier, rcpputils::SharedLibrary & library);
RCLCPP_PUBLIC const rosidl_service_type_support_t * get_service_typesupport_handle(
    const std::string & type, const std::string & typesupport_identifier, rcpputils::SharedLibrary & library);
[[deprecated("Use `get_message_typesupport_handle` instead")]]  //
RCLCPP_PUBLIC const rosidl_message_type_support_t *
get_typesupport_handle(const std::string & type, const std::string & typesupport_identifier,
                       rcpputils::SharedLibrary & library);

namespace detail {

// The type itself.
RCLCPP_PUBLIC const tandem::MessageType & message_type_by_name(const std::string & type);
RCLCPP_PUBLIC const tandem::ServiceType & service_type_by_name(const std::string & type);

}  // namespace detail
}  // namespace rclcpp

#endif  // RCLCPP__TYPESUPPORT_HELPERS_HPP_
