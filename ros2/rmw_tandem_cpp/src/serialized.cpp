#include "serialized.hpp"

#include <rmw/rmw.h>

#include "errors.hpp"
#include "tandem/cdr.hpp"
#include "tandem/owned_message.hpp"

namespace tandem_rmw {

rmw_ret_t serialize_native(const RosType & type, const void * native, rmw_serialized_message_t & serialized) {
  const std::size_t size = tandem::serialized_size(type.native, native);
  if (serialized.buffer_capacity < size) {
    if (rmw_serialized_message_resize(&serialized, size) != RMW_RET_OK) return RMW_RET_BAD_ALLOC;
  }
  serialized.buffer_length = tandem::serialize(type.native, native, serialized.buffer, serialized.buffer_capacity);
  if (serialized.buffer_length != 0) return RMW_RET_OK;
  return fail(RMW_RET_ERROR, "a message of " + type.name + " is too long for CDR");
}

rmw_ret_t serialize_ros(const RosType & type, const void * ros_message, rmw_serialized_message_t & serialized) {
  if (type.is_same) return serialize_native(type, ros_message, serialized);
  const tandem::OwnedMessage native = tandem::make_message(type.native);
  to_native(type, ros_message, native.get());
  return serialize_native(type, native.get(), serialized);
}

}  // namespace tandem_rmw

using namespace tandem_rmw;

extern "C" {

rmw_ret_t rmw_serialize(const void * ros_message, const rosidl_message_type_support_t * type_support,
                        rmw_serialized_message_t * serialized_message) {
  TANDEM_RMW_RETURN_IF(first_error(require(ros_message, "ros_message"), require(type_support, "type_support"),
                                   require(serialized_message, "serialized_message")));
  return guarded(RMW_RET_ERROR, [&]() -> rmw_ret_t {
    const RosType * const type = find_type(type_support);
    return type != nullptr ? serialize_ros(*type, ros_message, *serialized_message) : RMW_RET_ERROR;
  });
}

rmw_ret_t rmw_deserialize(const rmw_serialized_message_t * serialized_message,
                          const rosidl_message_type_support_t * type_support, void * ros_message) {
  TANDEM_RMW_RETURN_IF(first_error(require(serialized_message, "serialized_message"),
                                   require(type_support, "type_support"), require(ros_message, "ros_message")));
  return guarded(RMW_RET_ERROR, [&]() -> rmw_ret_t {
    const RosType * const type = find_type(type_support);
    if (type == nullptr) return RMW_RET_ERROR;
    const tandem::OwnedMessage native = tandem::make_message(type->native);
    const auto read =
        tandem::deserialize(type->native, serialized_message->buffer, serialized_message->buffer_length, native.get());
    if (!read) return fail(RMW_RET_ERROR, "a serialized message of " + type->name + ": " + read.error());
    to_ros(*type, native.get(), ros_message);
    return RMW_RET_OK;
  });
}

rmw_ret_t rmw_get_serialized_message_size(const rosidl_message_type_support_t *,
                                          const rosidl_runtime_c__Sequence__bound *, size_t *) {
  return fail(RMW_RET_UNSUPPORTED, "the size of a serialized message is not known before there is one");
}

}  // extern "C"
