// Descriptors of buffers whose bytes stay in the memory of a back-end, as they lie behind the bytes of a message's sequence
// (set_bytes() of native_operations.hpp). Those who do not look for them see a sequence of bytes.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "tandem/transport.hpp"

namespace tandem_rmw {

// Texts of any characters, one after the other.

void add_text(std::string & to, std::string_view text);
/// Takes one from the front. False: there is none.
bool take_text(std::string_view & from, std::string_view & text);

/// What one subscription is told of one buffer.
struct BufferDescriptor {
  tandem::transport::Gid subscription{};
  std::string_view backend;  ///< "cuda"
  std::string_view message;  ///< of the back-end's type, in CDR
};

// A text of descriptors, of which the first character says whether the sequence has the bytes as well.

std::string begin_descriptors(bool has_bytes);
void add(std::string & descriptors, const BufferDescriptor & descriptor);

/// True of an empty text.
bool has_bytes(std::string_view descriptors);
/// That of one subscription. It refers to the text. Whatever the text, nothing else is read.
std::optional<BufferDescriptor> find(std::string_view descriptors, const tandem::transport::Gid & subscription);

}  // namespace tandem_rmw
