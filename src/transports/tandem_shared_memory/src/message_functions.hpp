// What the core is told of a message type: how to check, copy and destroy messages that own further memory.
#pragma once

#include "tandem/message_type.hpp"
#include "tandem/types.hpp"

namespace rmw_tandem {

/// All null for types of fixed size. Sees that the code of the type is never unloaded, as its messages may outlive the
/// library that brought it: in a slot, or kept by a reader.
tandem::MessageFunctions functions_of(const tandem::MessageType & type);

}  // namespace rmw_tandem
