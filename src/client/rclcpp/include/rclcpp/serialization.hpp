// From messages to bytes and back.
#ifndef RCLCPP__SERIALIZATION_HPP_
#define RCLCPP__SERIALIZATION_HPP_

#include <type_traits>

#include "rclcpp/detail/type_support_handle.hpp"
#include "rclcpp/serialized_message.hpp"
#include "rclcpp/visibility_control.hpp"
#include "rcpputils/asserts.hpp"

namespace rclcpp {

namespace serialization_traits {

template <class T>
struct is_serialized_message_class : std::false_type {};
template <>
struct is_serialized_message_class<SerializedMessage> : std::true_type {};

}  // namespace serialization_traits

/// Of a type that is known at run time: see typesupport_helpers.hpp. Thread-safe.
class RCLCPP_PUBLIC SerializationBase {
 public:
  /// \throws rcpputils::IllegalStateException for null.
  explicit SerializationBase(const rosidl_message_type_support_t * type_support);
  virtual ~SerializationBase() = default;

  /// The buffer grows if need be. \throws rcpputils::IllegalStateException for null, exceptions::RCLBadAlloc, RCLError.
  void serialize_message(const void * ros_message, SerializedMessage * serialized_message) const;
  /// Bytes in either order. \throws also rcpputils::IllegalStateException for no bytes, and RCLError that names the field for bytes that
  /// are no message of the type; the message is valid then, its value unspecified.
  void deserialize_message(const SerializedMessage * serialized_message, void * ros_message) const;

 private:
  const rosidl_message_type_support_t * type_support_;
};

template <class MessageT>
class Serialization : public SerializationBase {
 public:
  static_assert(!serialization_traits::is_serialized_message_class<MessageT>::value,
                "Serialization of serialized message to serialized message is not possible.");

  Serialization() : SerializationBase(rosidl_typesupport_cpp::get_message_type_support_handle<MessageT>()) {}
};

}  // namespace rclcpp

#endif  // RCLCPP__SERIALIZATION_HPP_
