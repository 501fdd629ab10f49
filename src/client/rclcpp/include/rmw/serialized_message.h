// A message as bytes: those that ROS 2 sends and records, encapsulation included.
#ifndef RMW__SERIALIZED_MESSAGE_H_
#define RMW__SERIALIZED_MESSAGE_H_

#include "rcutils/types/uint8_array.h"

typedef rcutils_uint8_array_t rmw_serialized_message_t;

#define rmw_get_zero_initialized_serialized_message rcutils_get_zero_initialized_uint8_array
#define rmw_serialized_message_init rcutils_uint8_array_init
#define rmw_serialized_message_fini rcutils_uint8_array_fini
#define rmw_serialized_message_resize rcutils_uint8_array_resize

#endif  // RMW__SERIALIZED_MESSAGE_H_
