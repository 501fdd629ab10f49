// CDR: the bytes of a message as DDS carries them and as bag files store them.
//
// XCDR1 (PLAIN_CDR) as ROS 2 uses it, behind the 4 bytes that name the encapsulation:
//   * alignment counts from behind those 4 bytes, and is 8 at most;
//   * bool, byte, char, int8 and uint8 take 1 byte; wchar takes 4, as Fast CDR writes it; long double 16;
//   * a string is uint32 length, which counts the NUL, the characters, the NUL;
//   * a wstring is uint32 length without NUL, then a uint32 for each UTF-16 unit (rosidl_typesupport_fastrtps_cpp,
//     serialization_helpers.hpp);
//   * a sequence is uint32 length, then its elements; an array has no length; a message is its fields in order;
//   * a message without fields is 1 byte (structure_needs_at_least_one_member).
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include <tl/expected.hpp>

#include "tandem/message_type.hpp"

namespace tandem {

/// Bytes that serialize() writes, encapsulation included. Thread-safe. Allocates: nothing. Errors: none.
std::size_t serialized_size(const MessageType & type, const void * message) noexcept;

/// Writes the message, little-endian (`00 01 00 00`), to `buffer`, which has room for `size` bytes.
/// \return the bytes written; 0 if the buffer is too small, or a string or sequence is too long for CDR (2^32).
/// Thread-safe. Allocates: nothing.
std::size_t serialize(const MessageType & type, const void * message, void * buffer, std::size_t size) noexcept;

/// The same to a new buffer. Empty where the other returns 0. Errors: std::bad_alloc.
std::vector<std::uint8_t> serialize(const MessageType & type, const void * message);

/// Reads `size` bytes of either byte order into `message`, an object of the type; capacity that suffices is kept.
/// Bytes beyond the message are ignored, as DDS pads to 4.
/// \return an error that says what is wrong with which field: truncated, a length beyond the data or the bound, a string
/// that is not terminated, an encapsulation other than PLAIN_CDR. Nothing is allocated for elements that
/// the data has no bytes for. After an error the message is valid, its value unspecified.
/// Thread-safe. Errors: std::bad_alloc.
tl::expected<void, std::string> deserialize(const MessageType & type, const void * data, std::size_t size,
                                            void * message);

}  // namespace tandem
