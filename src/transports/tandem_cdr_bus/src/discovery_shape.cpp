// The type of ros_discovery_info, for systems that must know its fields.
#include "tandem/cdr_bus/context.hpp"
#include "tandem/dds/names.hpp"

namespace tandem::cdr_bus {
namespace {

constexpr std::size_t kNameBound = 256;

template <std::size_t Count>
MessageType shape_of(const char * name, const Field (&fields)[Count]) {
  MessageType type{};
  type.name = name;
  type.fields = fields;
  type.field_count = Count;
  return type;
}

Field octets(const char * name, std::size_t count) {
  return {name, FieldKind::kChar, FieldShape::kArray, 0, count, kUnbounded, nullptr, nullptr};
}

Field text(const char * name) {
  return {name, FieldKind::kString, FieldShape::kSingle, 0, 1, kNameBound, nullptr, nullptr};
}

Field messages(const char * name, const MessageType & (*message)(), bool is_sequence) {
  const FieldShape shape = is_sequence ? FieldShape::kSequence : FieldShape::kSingle;
  return {name, FieldKind::kMessage, shape, 0, is_sequence ? kUnbounded : 1, kUnbounded, message, nullptr};
}

const MessageType & gid_shape() {
  static const Field fields[] = {octets("data", static_cast<std::size_t>(discovery_width()))};
  static const MessageType type = shape_of("rmw_dds_common/msg/Gid", fields);
  return type;
}

const MessageType & node_shape() {
  static const Field fields[] = {text("node_namespace"), text("node_name"), messages("reader_gid_seq", gid_shape, true),
                                 messages("writer_gid_seq", gid_shape, true)};
  static const MessageType type = shape_of("rmw_dds_common/msg/NodeEntitiesInfo", fields);
  return type;
}

}  // namespace

dds::GidWidth discovery_width() {
  static const dds::GidWidth width = dds::chosen_width().value_or(dds::GidWidth::k16);
  return width;
}

const MessageType & discovery_shape() {
  static const Field fields[] = {messages("gid", gid_shape, false),
                                 messages("node_entities_info_seq", node_shape, true)};
  static const MessageType type = shape_of("rmw_dds_common/msg/ParticipantEntitiesInfo", fields);
  return type;
}

}  // namespace tandem::cdr_bus
