// Looks into a message whose type is known at run time only.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

#include <tl/expected.hpp>

#include "tandem/message_type.hpp"

namespace tandem {

/// A message, a field of one or an element of a field; read-only. A view: valid as long as the message, unchanged.
struct Value {
  const MessageType * type;  ///< of the message or, if kMessage, of the elements; else null
  const Field * field;       ///< that this is, or that it is an element of; null for a whole message
  FieldKind kind;
  FieldShape shape;  ///< kSingle for an element
  const void * memory;
};

/// The whole message as a value.
Value value_of(const MessageType & type, const void * message) noexcept;

/// Elements of an array or a sequence; 1 for a single value.
std::size_t element_count(const Value & value) noexcept;

/// An element of an array or sequence. \pre index < element_count(value)
Value element(const Value & value, std::size_t index) noexcept;

/// A field of a message. \pre kMessage, kSingle, index < value.type->field_count
Value member(const Value & value, std::size_t index) noexcept;

/// The value at a path such as "header.stamp", "points[3].x" or "poses[0]"; "" is the message itself.
/// \return an error that says which part of the path there is not, and what there is instead.
tl::expected<Value, std::string> find_value(const MessageType & type, const void * message, std::string_view path);

/// The characters. \pre kString, kSingle
std::string_view as_string(const Value & value) noexcept;

/// The characters. \pre kWstring, kSingle
std::u16string_view as_wstring(const Value & value) noexcept;

/// A single number, bool or character. Integers convert as static_cast does; a floating-point number that is not within
/// the range of the integer asked for is 0. \pre kSingle, neither string nor message
double as_double(const Value & value) noexcept;
std::int64_t as_int64(const Value & value) noexcept;
std::uint64_t as_uint64(const Value & value) noexcept;

/// The name of a kind as .msg files have it: "float64", "byte", "string"; of a message its type's name.
std::string kind_name(const Value & value);

}  // namespace tandem
