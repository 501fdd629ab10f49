#include "plain.hpp"

#include <algorithm>
#include <bit>
#include <optional>

namespace rmw_fastrtps {
namespace {

using tandem::Field;
using tandem::FieldKind;
using tandem::FieldShape;
using tandem::MessageType;

/// Bytes of a number on the wire; 0 of what is larger there than in memory, or no number.
std::size_t width_of(FieldKind kind) {
  switch (kind) {
    case FieldKind::kBool:
    case FieldKind::kOctet:
    case FieldKind::kChar:
    case FieldKind::kInt8:
    case FieldKind::kUint8: return 1;
    case FieldKind::kInt16:
    case FieldKind::kUint16: return 2;
    case FieldKind::kInt32:
    case FieldKind::kUint32:
    case FieldKind::kFloat32: return 4;
    case FieldKind::kInt64:
    case FieldKind::kUint64:
    case FieldKind::kFloat64: return 8;
    default: return 0;
  }
}

std::size_t aligned(std::size_t position, std::size_t width) { return (position + width - 1) / width * width; }

/// Follows CDR from `position` through a message that lies at `memory`; both count from the start of the whole.
/// \return where CDR goes on, if each number lies where CDR has it.
std::optional<std::size_t> follow(const MessageType & type, std::size_t memory, std::size_t position) {
  if (type.field_count == 0) {
    return std::nullopt;  // CDR has a byte for it
  }
  for (std::size_t i = 0; i < type.field_count; ++i) {
    const Field & field = type.fields[i];
    const std::size_t start = memory + field.offset;
    if (field.shape == FieldShape::kSequence) {
      return std::nullopt;
    }
    if (field.kind == FieldKind::kMessage) {
      // What holds for the first element of an array holds for all, if no gap is between them.
      const std::size_t size = field.message().size;
      const auto end = follow(field.message(), start, position);
      if (!end || (field.count > 1 && *end != start + size)) {
        return std::nullopt;
      }
      position = *end + (field.count - 1) * size;
      continue;
    }
    const std::size_t width = width_of(field.kind);
    if (width == 0 || aligned(position, width) != start) {
      return std::nullopt;
    }
    position = start + width * field.count;
  }
  return position;
}

}  // namespace

bool is_plain(const MessageType & type) {
  return std::endian::native == std::endian::little && type.is_fixed_size && follow(type, 0, 0).has_value();
}

}  // namespace rmw_fastrtps
