#include "type_description.hpp"

#include <openssl/evp.h>

#include <map>
#include <stdexcept>

namespace tandem_rmw {
namespace {

using tandem::Field;
using tandem::FieldKind;
using tandem::FieldShape;

/// Numbers of type_description_interfaces/msg/FieldType.
int type_id(const Field & field) {
  const bool is_bounded_string = field.string_bound != tandem::kUnbounded;
  switch (field.kind) {
    case FieldKind::kMessage: return 1;
    case FieldKind::kInt8: return 2;
    case FieldKind::kUint8: return 3;
    case FieldKind::kInt16: return 4;
    case FieldKind::kUint16: return 5;
    case FieldKind::kInt32: return 6;
    case FieldKind::kUint32: return 7;
    case FieldKind::kInt64: return 8;
    case FieldKind::kUint64: return 9;
    case FieldKind::kFloat32: return 10;
    case FieldKind::kFloat64: return 11;
    case FieldKind::kLongDouble: return 12;
    case FieldKind::kChar: return 13;
    case FieldKind::kWchar: return 14;
    case FieldKind::kBool: return 15;
    case FieldKind::kOctet: return 16;
    case FieldKind::kString: return is_bounded_string ? 21 : 17;
    case FieldKind::kWstring: return is_bounded_string ? 22 : 18;
  }
  return 0;
}

/// Added for arrays and sequences.
int shape_offset(const Field & field) {
  switch (field.shape) {
    case FieldShape::kArray: return 48;
    case FieldShape::kSequence: return field.count != tandem::kUnbounded ? 96 : 144;
    case FieldShape::kSingle: break;
  }
  return 0;
}

/// Names and types are of letters, digits, '_' and '/', so nothing is escaped.
std::string field_text(const std::string & name, int id, std::size_t capacity, std::size_t string_capacity,
                       const std::string & nested) {
  return "{\"name\": \"" + name + "\", \"type\": {\"type_id\": " + std::to_string(id) +
         ", \"capacity\": " + std::to_string(capacity) + ", \"string_capacity\": " + std::to_string(string_capacity) +
         ", \"nested_type_name\": \"" + nested + "\"}}";
}

std::string nested_text(const std::string & name, const std::string & type) { return field_text(name, 1, 0, 0, type); }

std::string field_text(const Field & field) {
  const bool is_single = field.shape == FieldShape::kSingle;
  return field_text(field.name, type_id(field) + shape_offset(field),
                    is_single || field.count == tandem::kUnbounded ? 0 : field.count,
                    field.string_bound == tandem::kUnbounded ? 0 : field.string_bound,
                    field.kind == FieldKind::kMessage ? field.message().name : "");
}

/// Of a type or a service.
std::string individual_text(const std::string & name, const std::vector<std::string> & fields) {
  std::string text = "{\"type_name\": \"" + name + "\", \"fields\": [";
  for (const std::string & field : fields) text += (text.back() == '[' ? "" : ", ") + field;
  return text + "]}";
}

std::string individual_text(const tandem::MessageType & type) {
  std::vector<std::string> fields;
  for (std::size_t i = 0; i < type.field_count; ++i) fields.push_back(field_text(type.fields[i]));
  if (fields.empty()) fields.push_back(field_text("structure_needs_at_least_one_member", 3, 0, 0, ""));
  return individual_text(type.name, fields);
}

/// What a type refers to, at any depth, by name.
using Referenced = std::map<std::string, std::string>;

void collect(const tandem::MessageType & type, Referenced & referenced) {
  for (std::size_t i = 0; i < type.field_count; ++i) {
    if (type.fields[i].kind != FieldKind::kMessage) continue;
    const tandem::MessageType & nested = type.fields[i].message();
    if (referenced.emplace(nested.name, individual_text(nested)).second) collect(nested, referenced);
  }
}

TypeHash hash_of_text(const std::string & individual, const Referenced & referenced) {
  std::string text = "{\"type_description\": " + individual + ", \"referenced_type_descriptions\": [";
  for (const auto & [name, description] : referenced) text += (text.back() == '[' ? "" : ", ") + description;
  text += "]}";
  TypeHash hash{};
  if (EVP_Digest(text.data(), text.size(), hash.data(), nullptr, EVP_sha256(), nullptr) != 1) {
    throw std::runtime_error("its hash cannot be computed: OpenSSL has no SHA-256");
  }
  return hash;
}

}  // namespace

TypeHash computed_hash(const RosType & type) {
  Referenced referenced;
  collect(type.native, referenced);
  return hash_of_text(individual_text(type.native), referenced);
}

TypeHash computed_hash(const RosServiceType & type) {
  const std::string event = type.name + "_Event";
  const std::string info = "service_msgs/msg/ServiceEventInfo";
  const std::string time = "builtin_interfaces/msg/Time";
  Referenced referenced;
  for (const RosType * const message : {type.request, type.response}) {
    referenced.emplace(message->name, individual_text(message->native));
    collect(message->native, referenced);
  }
  // The event's message, which introspection of services publishes, and what it refers to.
  referenced.emplace(
      event, individual_text(event, {nested_text("info", info), field_text("request", 1 + 96, 1, 0, type.request->name),
                                     field_text("response", 1 + 96, 1, 0, type.response->name)}));
  referenced.emplace(info, individual_text(info, {field_text("event_type", 3, 0, 0, ""), nested_text("stamp", time),
                                                  field_text("client_gid", 3 + 48, 16, 0, ""),
                                                  field_text("sequence_number", 8, 0, 0, "")}));
  referenced.emplace(time, individual_text(time, {field_text("sec", 6, 0, 0, ""), field_text("nanosec", 7, 0, 0, "")}));
  return hash_of_text(individual_text(type.name, {nested_text("request_message", type.request->name),
                                                  nested_text("response_message", type.response->name),
                                                  nested_text("event_message", event)}),
                      referenced);
}

}  // namespace tandem_rmw
