// What is done with messages in Tandem's layout whose type is a table made at run time.
#pragma once

#include <cstddef>

#include "tandem/message_type.hpp"

namespace tandem_rmw {

/// Zeros the message; a type of fixed size is initialized as ROS 2 does.
extern const tandem::MessageOperations kNativeOperations;

/// Field::resize_sequence. Elements that stay keep their value.
void resize_native_sequence(const tandem::Field & field, void * sequence, std::size_t elements);

/// Gives a sequence room for elements whose bytes are their value, all to be written by the caller.
/// \return the first. Errors: std::bad_alloc.
void * set_size(void * sequence, std::size_t bytes, std::size_t alignment);

}  // namespace tandem_rmw
