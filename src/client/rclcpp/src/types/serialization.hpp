// Messages of any type as CDR in the buffers of rcl.
#pragma once

#include <string>

#include <tl/expected.hpp>

#include "rcl/types.h"
#include "tandem/message_type.hpp"

namespace rclcpp::detail {

struct SerializationError {
  rcl_ret_t code;
  std::string reason;
};
using SerializationResult = tl::expected<void, SerializationError>;

/// Writes the message; the buffer grows if need be, by its own allocator or else by the default one.
SerializationResult serialize(const tandem::MessageType & type, const void * message, rcl_serialized_message_t & out);

/// Reads the bytes into a message of the type, which is valid after an error too, its value unspecified.
SerializationResult deserialize(const tandem::MessageType & type, const rcl_serialized_message_t & bytes,
                                void * message);

/// \throws exceptions::RCLBadAlloc, RCLError: `what`, and the reason.
void throw_if_failed(const SerializationResult & result, const std::string & what);

}  // namespace rclcpp::detail
