// Serialized messages: CDR, as ROS 2's other middlewares write it.
#pragma once

#include <rmw/ret_types.h>
#include <rmw/serialized_message.h>

#include "ros_type.hpp"

namespace tandem_rmw {

/// Of a message in Tandem's layout. The buffer grows as it must.
rmw_ret_t serialize_native(const RosType & type, const void * native, rmw_serialized_message_t & serialized);

/// The same of a message in ROS 2's layout.
rmw_ret_t serialize_ros(const RosType & type, const void * ros_message, rmw_serialized_message_t & serialized);

}  // namespace tandem_rmw
