// A type in the words that OpenSplice describes types in: XML.
#pragma once

#include <string>

#include "tandem/message_type.hpp"

namespace opensplice {

/// Its CDR is what tandem::serialize() writes. `name` is that on the wire, "std_msgs::msg::dds_::String_".
/// \throws Error for a field that OpenSplice has no type for.
std::string type_description(const std::string & name, const tandem::MessageType & shape);

}  // namespace opensplice
