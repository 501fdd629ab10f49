/* The headers of rcl and rmw are C. Compiling is the test. */
#include "rcl/arguments.h"
#include "rcl/rcl.h"
#include "rmw/allocators.h"
#include "rmw/qos_string_conversions.h"
#include "rmw/rmw.h"
#include "rmw/time.h"

int headers_are_c(void) { return rmw_qos_profile_sensor_data.depth == 5 && RCL_RET_OK == RMW_RET_OK; }
