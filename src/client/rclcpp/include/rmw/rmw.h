// Which middleware this process really uses, and messages as bytes.
#ifndef RMW__RMW_H_
#define RMW__RMW_H_

#include "rmw/error_handling.h"
#include "rmw/qos_profiles.h"
#include "rmw/serialized_message.h"
#include "rmw/types.h"
#include "rosidl_runtime_c/message_type_support_struct.h"

#ifdef __cplusplus
extern "C" {
#endif

/// Name of the transport in use ("rmw_tandem_cpp"), loading it when need be; "" when none can be loaded.
__attribute__((visibility("default"))) const char * rmw_get_implementation_identifier(void);
/// "cdr", over every middleware.
__attribute__((visibility("default"))) const char * rmw_get_serialization_format(void);

/// Writes the message to `serialized_message`, which grows if need be.
/// \return RMW_RET_INVALID_ARGUMENT for a null pointer or type support of others; RMW_RET_BAD_ALLOC; RMW_RET_ERROR, and the
/// reason as the thread's error. Thread-safe.
__attribute__((visibility("default"))) rmw_ret_t rmw_serialize(const void * ros_message,
                                                               const rosidl_message_type_support_t * type_support,
                                                               rmw_serialized_message_t * serialized_message);
/// Reads the bytes into a message of the type. \return as rmw_serialize().
__attribute__((visibility("default"))) rmw_ret_t rmw_deserialize(const rmw_serialized_message_t * serialized_message,
                                                                 const rosidl_message_type_support_t * type_support,
                                                                 void * ros_message);

#ifdef __cplusplus
}
#endif

#endif  // RMW__RMW_H_
