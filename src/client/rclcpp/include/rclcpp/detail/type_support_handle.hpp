// rosidl's handles of types. Of ours, `data` is the tandem::MessageType or tandem::ServiceType.
#ifndef RCLCPP__DETAIL__TYPE_SUPPORT_HANDLE_HPP_
#define RCLCPP__DETAIL__TYPE_SUPPORT_HANDLE_HPP_

#include "rclcpp/visibility_control.hpp"
#include "rosidl_typesupport_cpp/message_type_support.hpp"
#include "rosidl_typesupport_cpp/service_type_support.hpp"
#include "tandem/message_type.hpp"

namespace rclcpp::detail {

// The handle of a type, the same at each call; it lives for ever. Thread-safe.
RCLCPP_PUBLIC const rosidl_message_type_support_t * handle_of(const tandem::MessageType & type);
RCLCPP_PUBLIC const rosidl_service_type_support_t * handle_of(const tandem::ServiceType & type);

/// The type of a handle; null when the handle is null or of another implementation.
RCLCPP_PUBLIC const tandem::MessageType * type_of(const rosidl_message_type_support_t * handle);

}  // namespace rclcpp::detail

namespace rosidl_typesupport_cpp {

// rosidl declares them, and generates one for each type.
template <class T>
const rosidl_message_type_support_t * get_message_type_support_handle() {
  static const auto * const handle = rclcpp::detail::handle_of(tandem::message_type<T>());
  return handle;
}
template <class T>
const rosidl_service_type_support_t * get_service_type_support_handle() {
  static const auto * const handle = rclcpp::detail::handle_of(tandem::service_type<T>());
  return handle;
}

}  // namespace rosidl_typesupport_cpp

#endif  // RCLCPP__DETAIL__TYPE_SUPPORT_HANDLE_HPP_
