// The calling thread's last error: that of rcutils. Errors of rclcpp are exceptions and do not set it.
#ifndef RMW__ERROR_HANDLING_H_
#define RMW__ERROR_HANDLING_H_

#include "rcutils/error_handling.h"

typedef rcutils_error_string_t rmw_error_string_t;
typedef rcutils_error_state_t rmw_error_state_t;

#define rmw_initialize_error_handling_thread_local_storage rcutils_initialize_error_handling_thread_local_storage
#define rmw_set_error_state rcutils_set_error_state
#define rmw_error_is_set rcutils_error_is_set
#define rmw_get_error_state rcutils_get_error_state
#define rmw_get_error_string rcutils_get_error_string
#define rmw_reset_error rcutils_reset_error
#define RMW_SET_ERROR_MSG(msg) RCUTILS_SET_ERROR_MSG(msg)
#define RMW_SET_ERROR_MSG_WITH_FORMAT_STRING(fmt, ...) RCUTILS_SET_ERROR_MSG_WITH_FORMAT_STRING(fmt, __VA_ARGS__)
#define RMW_CHECK_ARGUMENT_FOR_NULL(argument, return_value) RCUTILS_CHECK_ARGUMENT_FOR_NULL(argument, return_value)

#endif  // RMW__ERROR_HANDLING_H_
