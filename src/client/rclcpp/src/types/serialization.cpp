// CDR for programs, and for rmw's functions of C.
#include "rclcpp/serialization.hpp"

#include <new>

#include "rclcpp/exceptions.hpp"
#include "rcpputils/asserts.hpp"
#include "rmw/rmw.h"
#include "tandem/cdr.hpp"
#include "types/serialization.hpp"

namespace rclcpp {
namespace detail {
namespace {

tl::unexpected<SerializationError> failure(rcl_ret_t code, const std::string & reason) {
  return tl::make_unexpected(SerializationError{code, reason});
}

}  // namespace

SerializationResult serialize(const tandem::MessageType & type, const void * message, rcl_serialized_message_t & out) {
  const std::size_t size = tandem::serialized_size(type, message);
  if (out.buffer_capacity < size) {
    if (out.allocator.allocate == nullptr) out.allocator = rcl_get_default_allocator();
    out.buffer_length = 0;  // nothing to keep
    if (rmw_serialized_message_resize(&out, size) != RCUTILS_RET_OK) {
      rcutils_reset_error();
      return failure(RCL_RET_BAD_ALLOC, "there is no memory for its " + std::to_string(size) + " bytes");
    }
  }
  out.buffer_length = tandem::serialize(type, message, out.buffer, out.buffer_capacity);
  if (out.buffer_length == 0) return failure(RCL_RET_ERROR, "a string or a sequence of it is too long for CDR (2^32)");
  return {};
}

SerializationResult deserialize(const tandem::MessageType & type, const rcl_serialized_message_t & bytes,
                                void * message) {
  try {
    const auto result = tandem::deserialize(type, bytes.buffer, bytes.buffer_length, message);
    if (!result) return failure(RCL_RET_ERROR, result.error());
    return {};
  } catch (const std::bad_alloc &) {
    return failure(RCL_RET_BAD_ALLOC, "there is no memory for it");
  }
}

void throw_if_failed(const SerializationResult & result, const std::string & what) {
  if (result) return;
  const std::string text = what + ": " + result.error().reason;
  if (result.error().code == RCL_RET_BAD_ALLOC) throw exceptions::RCLBadAlloc(text);
  throw exceptions::RCLError(result.error().code, text);
}

}  // namespace detail

namespace {

void require(bool holds, const char * what) {
  if (!holds) throw rcpputils::IllegalStateException(what);
}

const tandem::MessageType & require_type(const rosidl_message_type_support_t * type_support) {
  const auto * const type = detail::type_of(type_support);
  require(type != nullptr, "the type support is not that of rosidl_typesupport_cpp");
  return *type;
}

}  // namespace

SerializationBase::SerializationBase(const rosidl_message_type_support_t * type_support) : type_support_(type_support) {
  require(type_support != nullptr, "Typesupport is nullpointer.");
}

void SerializationBase::serialize_message(const void * ros_message, SerializedMessage * serialized_message) const {
  require(ros_message != nullptr, "ROS message is nullpointer.");
  require(serialized_message != nullptr, "Serialized message is nullpointer.");
  const auto & type = require_type(type_support_);
  detail::throw_if_failed(detail::serialize(type, ros_message, serialized_message->get_rcl_serialized_message()),
                          std::string("a message of type ") + type.name + " cannot be serialized");
}

void SerializationBase::deserialize_message(const SerializedMessage * serialized_message, void * ros_message) const {
  require(serialized_message != nullptr, "Serialized message is nullpointer.");
  require(serialized_message->capacity() != 0, "Wrongly initialized. Serialized message has a capacity of zero.");
  require(serialized_message->size() != 0, "Wrongly initialized. Serialized message has a size of zero.");
  require(ros_message != nullptr, "ROS message is a nullpointer.");
  const auto & type = require_type(type_support_);
  detail::throw_if_failed(detail::deserialize(type, serialized_message->get_rcl_serialized_message(), ros_message),
                          std::string("the bytes are no message of type ") + type.name);
}

}  // namespace rclcpp

namespace {

rmw_ret_t told(const rclcpp::detail::SerializationResult & result) {
  if (result) return RMW_RET_OK;
  RMW_SET_ERROR_MSG(result.error().reason.c_str());
  return result.error().code;
}

}  // namespace

extern "C" {

const char * rmw_get_serialization_format(void) { return "cdr"; }

rmw_ret_t rmw_serialize(const void * ros_message, const rosidl_message_type_support_t * type_support,
                        rmw_serialized_message_t * serialized_message) {
  const auto * const type = rclcpp::detail::type_of(type_support);
  if (ros_message == nullptr || type == nullptr || serialized_message == nullptr) return RMW_RET_INVALID_ARGUMENT;
  return told(rclcpp::detail::serialize(*type, ros_message, *serialized_message));
}

rmw_ret_t rmw_deserialize(const rmw_serialized_message_t * serialized_message,
                          const rosidl_message_type_support_t * type_support, void * ros_message) {
  const auto * const type = rclcpp::detail::type_of(type_support);
  if (ros_message == nullptr || type == nullptr || serialized_message == nullptr) return RMW_RET_INVALID_ARGUMENT;
  return told(rclcpp::detail::deserialize(*type, *serialized_message, ros_message));
}

}  // extern "C"
