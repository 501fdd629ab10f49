// A sequence or string whose type is known at run time only: its words as they lie in memory. The one place that knows
// the layout of detail/relative_storage.hpp besides that file.
#pragma once

#include <cstddef>
#include <cstdint>

#include "tandem/message_type.hpp"

namespace tandem::detail {

struct RawContainer {
  bool has_block;
  std::uintptr_t block;  ///< address of the first element; 0 if there is no block
  std::size_t size;      ///< elements
  std::size_t capacity;  ///< elements that the block has room for; of a string, its terminator included
};

/// Reads each word once, so that what is checked is what is used. \pre an aligned tandem::Vector or String.
inline RawContainer read_container(const void * container) noexcept {
  const auto * const words = static_cast<const std::uint64_t *>(container);
  const std::uint64_t offset = __atomic_load_n(words, __ATOMIC_RELAXED);
  return {offset != 0,
          offset == 0 ? 0 : reinterpret_cast<std::uintptr_t>(container) + static_cast<std::uintptr_t>(offset),
          static_cast<std::size_t>(__atomic_load_n(words + 1, __ATOMIC_RELAXED)),
          static_cast<std::size_t>(__atomic_load_n(words + 2, __ATOMIC_RELAXED))};
}

/// Bytes and alignment of what a field, or an element of it, is in memory.
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
