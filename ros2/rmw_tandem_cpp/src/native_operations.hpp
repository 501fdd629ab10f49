// What is done with messages in Tandem's layout whose type is a table made at run time.
#pragma once

#include <cstddef>
#include <memory>
#include <string_view>

#include "tandem/message_type.hpp"

namespace tandem_rmw {

/// Zeros the message; a type of fixed size is initialized as ROS 2 does.
extern const tandem::MessageOperations kNativeOperations;

/// Field::resize_sequence. Elements that stay keep their value.
void resize_native_sequence(const tandem::Field & field, void * sequence, std::size_t elements);

/// Gives a sequence room for elements whose bytes are their value, all to be written by the caller.
/// \return the first. Errors: std::bad_alloc.
void * set_size(void * sequence, std::size_t bytes, std::size_t alignment);

/// Makes a sequence one of bytes that others have too. They are not written, and let go of when the sequence gets others.
/// \param memory  The bytes, in Tandem's heap; kept for as long. It is let go of from any thread, while locks of the core are held.
void set_shared_bytes(void * sequence, std::shared_ptr<void> memory, std::size_t bytes);

/// Gives a sequence bytes, and behind them, in the room that it has for more, an attachment: who reads the sequence sees the
/// bytes alone. Errors: std::bad_alloc.
void set_bytes(void * sequence, const void * bytes, std::size_t size, std::string_view attachment);
/// That of a sequence of bytes in a message of this library, which writes no other sequence without ending what was there. Empty:
/// none. It is valid as long as the sequence is.
std::string_view attachment_of(const void * sequence);

}  // namespace tandem_rmw
