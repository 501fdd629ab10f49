// Whether the bytes of a message in memory are its CDR.
#pragma once

#include "tandem/message_type.hpp"

namespace rmw_fastrtps {

/// True when a message of the type may be sent, and be read, as it lies in memory: of fixed size, each number where
/// XCDR1 puts it. Padding at the very end is allowed, since readers ignore bytes beyond the message.
bool is_plain(const tandem::MessageType & type);

}  // namespace rmw_fastrtps
