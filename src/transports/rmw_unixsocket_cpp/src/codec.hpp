// From messages to the bytes that a socket carries, and back.
#pragma once

#include <memory>

#include "links.hpp"
#include "tandem/message_type.hpp"

namespace unixsocket {

/// The bytes of a message: its own if its type is of fixed size, else CDR. Null when it is too large for CDR.
/// Errors: std::bad_alloc.
std::shared_ptr<const Payload> encode(const tandem::MessageType & type, const void * message);

/// The message; of a fixed-size type it lies in the payload. Null, with a line on stderr, when the bytes are none.
/// Errors: std::bad_alloc.
std::shared_ptr<const void> decode(const tandem::MessageType & type, std::shared_ptr<const Payload> payload);

/// The same into a message of the caller's. \return false, with a line on stderr, when the bytes are none.
bool decode_into(const tandem::MessageType & type, const Payload & payload, void * message);

}  // namespace unixsocket
