// Bytes and alignment of fields whose type is known at run time only.
#pragma once

#include <cstddef>

#include "tandem/message_type.hpp"

namespace tandem::detail {

/// What a field, or each element of it, takes in memory.
struct ElementLayout {
  std::size_t size;
  std::size_t alignment;
};

inline constexpr ElementLayout kContainerLayout{24, 8};

/// \param message  the type of the messages; only used if kMessage
inline ElementLayout element_layout(FieldKind kind, const MessageType * message) noexcept {
  switch (kind) {
    case FieldKind::kBool:
    case FieldKind::kOctet:
    case FieldKind::kChar:
    case FieldKind::kInt8:
    case FieldKind::kUint8: return {1, 1};
    case FieldKind::kWchar:
    case FieldKind::kInt16:
    case FieldKind::kUint16: return {2, 2};
    case FieldKind::kInt32:
    case FieldKind::kUint32:
    case FieldKind::kFloat32: return {4, 4};
    case FieldKind::kInt64:
    case FieldKind::kUint64:
    case FieldKind::kFloat64: return {8, 8};
    case FieldKind::kLongDouble: return {sizeof(long double), alignof(long double)};
    case FieldKind::kString:
    case FieldKind::kWstring: return kContainerLayout;
    case FieldKind::kMessage: return {message->size, message->alignment};
  }
  return {1, 1};
}

}  // namespace tandem::detail
