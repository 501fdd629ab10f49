// Types of messages that are known at run time only, and objects of them.
#pragma once

#include <string>

#include "tandem/message_type.hpp"
#include "tandem/tools/message_types.hpp"

namespace ros2cli {

using tandem::tools::countable_type;
using tandem::tools::installed_type;
using tandem::tools::is_opaque;
using tandem::tools::Message;

/// What is sent for an interface: a message itself, the request of a service, the goal of an action.
/// \throws CommandError that says what is missing.
const tandem::MessageType & sent_type(const std::string & interface);

/// The type of "std_srvs/srv/SetBool", or "std_srvs/SetBool" for short. \throws CommandError that says what is missing.
const tandem::ServiceType & service_type(const std::string & name);

/// The type of "example_interfaces/action/Fibonacci". \throws CommandError that says what is missing.
const tandem::ActionType & action_type(const std::string & name);

}  // namespace ros2cli
