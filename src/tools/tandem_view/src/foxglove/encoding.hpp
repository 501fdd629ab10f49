// Messages as clients send and get them, in the two encodings that this server speaks: "cdr" and "json".
#pragma once

#include <string>

#include <tl/expected.hpp>

#include "connection/outbox.hpp"
#include "tandem/message_type.hpp"
#include "tandem/owned_message.hpp"

namespace tandem::view {

bool is_encoding(const std::string & name);

/// A message of the type from bytes. \return an error that says what is wrong with them.
tl::expected<OwnedMessage, std::string> decode(const MessageType & type, const std::string & encoding,
                                               std::string_view bytes);

/// \pre is_encoding(encoding)
Bytes encode(const MessageType & type, const std::string & encoding, const void * message);

/// "std_msgs/msg/String" for "std_msgs/String" too. \return an error that says what is missing.
tl::expected<const MessageType *, std::string> type_of_schema(const std::string & schema_name);

}  // namespace tandem::view
