// A type in the words that OpenSplice describes types in: XML.
#pragma once

#include <string>

#include "tandem/message_type.hpp"

namespace opensplice {

/// What OpenSplice is told of a type. It keeps the addresses of both strings.
struct Type {
  const std::string name;
  const std::string description;
};

/// The same object for the same type, for as long as the process lives. Thread-safe. Errors as type_description().
const Type & type_of(const std::string & name, const tandem::MessageType & shape);

/// Its CDR is what tandem::serialize() writes. `name` is that on the wire, "std_msgs::msg::dds_::String_".
/// \throws Error for a field that OpenSplice has no type for.
std::string type_description(const std::string & name, const tandem::MessageType & shape);

}  // namespace opensplice
