// Fields in memory, for all that walks over a message: elements in a row, numbers by kind, the path to a field.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <string>

#include "tandem/detail/element_layout.hpp"
#include "tandem/detail/relative_storage.hpp"
#include "tandem/message_type.hpp"
#include "tandem/string.hpp"

namespace tandem::detail {

/// Elements of a field, one behind the other.
struct Elements {
  const char * first;
  std::size_t count;
  std::size_t size;  ///< bytes of each

  const void * operator[](std::size_t index) const noexcept { return first + index * size; }
};

/// The type of the messages that a field holds; null for other kinds.
inline const MessageType * message_of(const Field & field) noexcept {
  return field.kind == FieldKind::kMessage ? &field.message() : nullptr;
}

inline std::size_t element_size(const Field & field) noexcept {
  return element_layout(field.kind, message_of(field)).size;
}

/// \param memory  where the field is
inline Elements elements_of(const Field & field, const void * memory) noexcept {
  const std::size_t size = element_size(field);
  if (field.shape != FieldShape::kSequence) {
    return {static_cast<const char *>(memory), field.count, size};
  }
  const RawContainer container(memory);
  return {static_cast<const char *>(container.data()), container.used_bytes() / size, size};
}

inline const void * field_of(const void * message, const Field & field) noexcept {
  return static_cast<const char *>(message) + field.offset;
}
inline void * field_of(void * message, const Field & field) noexcept {
  return static_cast<char *>(message) + field.offset;
}

/// Strings have one layout whatever their bound, which who writes to them checks.
inline const String & string_at(const void * memory) noexcept { return *static_cast<const String *>(memory); }
inline String & string_at(void * memory) noexcept { return *static_cast<String *>(memory); }
inline const U16String & wstring_at(const void * memory) noexcept { return *static_cast<const U16String *>(memory); }
inline U16String & wstring_at(void * memory) noexcept { return *static_cast<U16String *>(memory); }

template <class T>
T load(const void * memory) noexcept {
  T value;
  std::memcpy(&value, memory, sizeof value);
  return value;
}

/// use(value) with the value of a kind that is neither string nor message. A bool is what is not 0.
template <class Use>
auto with_number(FieldKind kind, const void * memory, const Use & use) {
  switch (kind) {
    case FieldKind::kBool: return use(load<std::uint8_t>(memory) != 0);
    case FieldKind::kWchar: return use(load<char16_t>(memory));
    case FieldKind::kInt8: return use(load<std::int8_t>(memory));
    case FieldKind::kInt16: return use(load<std::int16_t>(memory));
    case FieldKind::kUint16: return use(load<std::uint16_t>(memory));
    case FieldKind::kInt32: return use(load<std::int32_t>(memory));
    case FieldKind::kUint32: return use(load<std::uint32_t>(memory));
    case FieldKind::kInt64: return use(load<std::int64_t>(memory));
    case FieldKind::kUint64: return use(load<std::uint64_t>(memory));
    case FieldKind::kFloat32: return use(load<float>(memory));
    case FieldKind::kFloat64: return use(load<double>(memory));
    case FieldKind::kLongDouble: return use(load<long double>(memory));
    case FieldKind::kOctet:
    case FieldKind::kChar:
    case FieldKind::kUint8:
    default: return use(load<std::uint8_t>(memory));
  }
}

/// Where in a message something is, for people: "header.stamp", "points[3].x". A chain along the stack.
struct Path {
  const Path * parent;  ///< null at the message itself
  const char * name;    ///< of a field; null for an element
  std::size_t index = 0;

  std::string text() const {
    if (parent == nullptr) {
      return "";
    }
    const std::string before = parent->text();
    return name == nullptr ? before + "[" + std::to_string(index) + "]" : before + (before.empty() ? "" : ".") + name;
  }
};

}  // namespace tandem::detail
