// The handle of a message's type, of a TypeAdapter too.
#ifndef RCLCPP__GET_MESSAGE_TYPE_SUPPORT_HANDLE_HPP_
#define RCLCPP__GET_MESSAGE_TYPE_SUPPORT_HANDLE_HPP_

#include "rclcpp/detail/type_support_handle.hpp"
#include "rclcpp/is_ros_compatible_type.hpp"

namespace rclcpp {

/// Lives for ever, the same at each call. Thread-safe.
template <class MessageT>
const rosidl_message_type_support_t & get_message_type_support_handle() {
  static_assert(is_ros_compatible_type<MessageT>::value, "a message, or a type for which there is a TypeAdapter");
  return *rosidl_typesupport_cpp::get_message_type_support_handle<typename TypeAdapter<MessageT>::ros_message_type>();
}

}  // namespace rclcpp

#endif  // RCLCPP__GET_MESSAGE_TYPE_SUPPORT_HANDLE_HPP_
