#include "tandem/tools/watching.hpp"

#include <algorithm>

#include "tandem/measure/clock.hpp"
#include "tandem/tools/message_types.hpp"

namespace tandem::tools {
namespace {

constexpr std::size_t kLagBytes = std::size_t{32} << 20;
constexpr std::size_t kLeastDepth = 10;
constexpr std::size_t kTextDepth = 100;       ///< for types that vary by their strings only, which are short
constexpr std::uint32_t kCountingDepth = 30;  ///< at least, for who looks only 100 times a second
constexpr std::size_t kGreatestDepth = 1000;

}  // namespace

bool may_be_large(const MessageType & type) {
  return std::any_of(type.fields, type.fields + type.field_count, [](const Field & field) {
    return (field.shape == FieldShape::kSequence && field.count == tandem::kUnbounded) ||
           (field.kind == FieldKind::kMessage && may_be_large(field.message()));
  });
}

std::uint32_t watching_depth(const MessageType & type) {
  if (is_opaque(type) || may_be_large(type)) {
    return kLeastDepth;
  }
  if (!type.is_fixed_size) {
    return kTextDepth;
  }
  return static_cast<std::uint32_t>(
      std::clamp(kLagBytes / std::max<std::size_t>(type.size, 1), kLeastDepth, kGreatestDepth));
}

transport::Qos watching_qos(const MessageType & type) {
  transport::Qos qos;
  qos.depth = watching_depth(type);
  if (is_opaque(type) || !type.is_fixed_size) {
    qos.depth = std::max(qos.depth, kCountingDepth);
  }
  qos.reliability = transport::Reliability::kBestEffort;
  return qos;
}

std::int64_t time_of(const transport::MessageInfo & info) {
  return info.source_timestamp != 0 ? info.source_timestamp : measure::wall_ns();
}

}  // namespace tandem::tools
