// What writing and reading CDR have in common: widths on the wire, and messages that are the same there as in memory.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>

#include "fields/elements.hpp"

namespace tandem::detail {

inline constexpr std::size_t kEncapsulation = 4;
inline constexpr std::size_t kMaxAlignment = 8;

constexpr std::size_t padding(std::size_t position, std::size_t width) noexcept {
  const std::size_t alignment = std::min(width, kMaxAlignment);
  return (alignment - position % alignment) % alignment;
}

constexpr bool is_string(FieldKind kind) noexcept { return kind == FieldKind::kString || kind == FieldKind::kWstring; }

/// Bytes on the wire of a kind that is neither string nor message.
inline std::size_t wire_width(FieldKind kind) noexcept {
  return kind == FieldKind::kWchar ? 4 : element_layout(kind, nullptr).size;
}

/// Numbers of one width in a row. Width 0: it is not that.
struct Run {
  std::size_t width;
  std::size_t count;
};

/// A message that consists of numbers of one width, without padding, as most that come in great numbers do (points,
/// poses, durations): a sequence of it is on the wire as it is in memory.
inline Run run_of(const MessageType & type) noexcept {
  if (!type.is_fixed_size || type.field_count == 0) {
    return {0, 0};
  }
  Run run{0, 0};
  for (std::size_t i = 0; i < type.field_count; ++i) {
    const Field & field = type.fields[i];
    if (field.kind == FieldKind::kBool || field.kind == FieldKind::kWchar || field.kind == FieldKind::kLongDouble) {
      return {0, 0};
    }
    const Run part = field.kind == FieldKind::kMessage ? run_of(field.message()) : Run{wire_width(field.kind), 1};
    if (part.width == 0 || (run.width != 0 && part.width != run.width) || field.offset != part.width * run.count) {
      return {0, 0};
    }
    run = {part.width, run.count + part.count * field.count};
  }
  return run.width * run.count == type.size ? run : Run{0, 0};
}

/// The fewest bytes that an element of the field can take on the wire.
inline std::size_t least_size(const Field & field) noexcept {
  if (is_string(field.kind)) {
    return 4;
  }
  if (field.kind != FieldKind::kMessage) {
    return wire_width(field.kind);
  }
  const MessageType & type = field.message();
  std::size_t sum = 0;
  for (std::size_t i = 0; i < type.field_count; ++i) {
    const Field & part = type.fields[i];
    sum += part.shape == FieldShape::kSequence ? 4 : part.count * least_size(part);
  }
  return std::max<std::size_t>(sum, 1);
}

}  // namespace tandem::detail
