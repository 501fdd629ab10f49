// The definitions of message types as text, as bag files and viewers carry them.
#pragma once

#include <string>

#include "tandem/message_type.hpp"

namespace tandem {

/// The type's definition followed by those of all types in it, each behind a line of 80 '=' and a line
/// "MSG: package/Name": the encoding that MCAP calls "ros2msg". A definition is the installed .msg file (found through
/// AMENT_PREFIX_PATH) or, if there is none, made of the table of fields: without comments, constants and defaults.
/// Thread-safe. Reads files. Errors: std::bad_alloc.
std::string definition_of(const MessageType & type);

}  // namespace tandem
