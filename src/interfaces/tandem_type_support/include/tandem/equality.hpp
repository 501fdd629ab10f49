// Whether two messages of a type known at run time only are equal.
#pragma once

#include "tandem/message_type.hpp"

namespace tandem {

/// What operator== of the generated struct says: field by field, numbers by value, so that NaN equals nothing and
/// -0.0 equals 0.0. Thread-safe. Allocates: nothing. Errors: none.
bool equal(const MessageType & type, const void * a, const void * b) noexcept;

}  // namespace tandem
