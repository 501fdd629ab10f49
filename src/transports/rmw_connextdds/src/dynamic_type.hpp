// A type of Connext's, made of a message's table of fields.
#pragma once

#include <dds/dds.hpp>
#include <string>

#include "tandem/message_type.hpp"

namespace connext {

/// Its CDR is what tandem::serialize() writes. `name` is that on the wire.
/// \throws Error for a field that Connext has no type for.
dds::core::xtypes::StructType struct_type(const std::string & name, const tandem::MessageType & shape);

}  // namespace connext
