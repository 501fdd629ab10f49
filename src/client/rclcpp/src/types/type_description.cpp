#include "types/type_description.hpp"

#include <fstream>
#include <iterator>
#include <map>
#include <string>

#include "tandem/ament_prefixes.hpp"
#include "type_description_interfaces/msg/field_type.hpp"

namespace rclcpp::detail {
namespace {

using tandem::FieldKind;
using tandem::FieldShape;
using type_description_interfaces::msg::Field;
using type_description_interfaces::msg::FieldType;
using type_description_interfaces::msg::IndividualTypeDescription;
using type_description_interfaces::msg::TypeDescription;
using type_description_interfaces::msg::TypeSource;

constexpr const char * kEventInfo = "service_msgs/msg/ServiceEventInfo";
constexpr const char * kTime = "builtin_interfaces/msg/Time";
constexpr std::uint64_t kGidSize = 16;
// What arrays and sequences add to the number of their elements' type.
constexpr int kArray = FieldType::FIELD_TYPE_INT8_ARRAY - FieldType::FIELD_TYPE_INT8;
constexpr int kBoundedSequence = FieldType::FIELD_TYPE_INT8_BOUNDED_SEQUENCE - FieldType::FIELD_TYPE_INT8;
constexpr int kUnboundedSequence = FieldType::FIELD_TYPE_INT8_UNBOUNDED_SEQUENCE - FieldType::FIELD_TYPE_INT8;

int element_type(FieldKind kind, bool is_bounded) {
  switch (kind) {
    case FieldKind::kBool: return FieldType::FIELD_TYPE_BOOLEAN;
    case FieldKind::kOctet: return FieldType::FIELD_TYPE_BYTE;
    case FieldKind::kChar: return FieldType::FIELD_TYPE_CHAR;
    case FieldKind::kWchar: return FieldType::FIELD_TYPE_WCHAR;
    case FieldKind::kInt8: return FieldType::FIELD_TYPE_INT8;
    case FieldKind::kUint8: return FieldType::FIELD_TYPE_UINT8;
    case FieldKind::kInt16: return FieldType::FIELD_TYPE_INT16;
    case FieldKind::kUint16: return FieldType::FIELD_TYPE_UINT16;
    case FieldKind::kInt32: return FieldType::FIELD_TYPE_INT32;
    case FieldKind::kUint32: return FieldType::FIELD_TYPE_UINT32;
    case FieldKind::kInt64: return FieldType::FIELD_TYPE_INT64;
    case FieldKind::kUint64: return FieldType::FIELD_TYPE_UINT64;
    case FieldKind::kFloat32: return FieldType::FIELD_TYPE_FLOAT;
    case FieldKind::kFloat64: return FieldType::FIELD_TYPE_DOUBLE;
    case FieldKind::kLongDouble: return FieldType::FIELD_TYPE_LONG_DOUBLE;
    case FieldKind::kString: return is_bounded ? FieldType::FIELD_TYPE_BOUNDED_STRING : FieldType::FIELD_TYPE_STRING;
    case FieldKind::kWstring: return is_bounded ? FieldType::FIELD_TYPE_BOUNDED_WSTRING : FieldType::FIELD_TYPE_WSTRING;
    case FieldKind::kMessage: return FieldType::FIELD_TYPE_NESTED_TYPE;
  }
  return FieldType::FIELD_TYPE_NOT_SET;
}

/// A field of a basic type, or of the message `nested`.
Field make_field(const char * name, int type, std::uint64_t capacity = 0, const std::string & nested = "") {
  Field field;
  field.name = name;
  field.type.type_id = static_cast<std::uint8_t>(type);
  field.type.capacity = capacity;
  field.type.nested_type_name = nested;
  return field;
}

Field describe_field(const tandem::Field & field) {
  const bool is_bounded = field.string_bound != tandem::kUnbounded;
  int type = element_type(field.kind, is_bounded);
  std::uint64_t capacity = 0;
  if (field.shape == FieldShape::kArray) {
    type += kArray;
    capacity = field.count;
  } else if (field.shape == FieldShape::kSequence) {
    const bool is_bounded_sequence = field.count != tandem::kUnbounded;
    type += is_bounded_sequence ? kBoundedSequence : kUnboundedSequence;
    capacity = is_bounded_sequence ? field.count : 0;
  }
  Field made = make_field(field.name, type, capacity, field.kind == FieldKind::kMessage ? field.message().name : "");
  made.type.string_capacity = is_bounded ? field.string_bound : 0;
  return made;
}

/// Collects types, each once, sorted by name.
class Description {
 public:
  void add(const tandem::MessageType & type) {
    if (types_.count(type.name) != 0) return;
    auto & fields = types_[type.name];
    for (const tandem::Field * field = type.fields; field != type.fields + type.field_count; ++field) {
      fields.push_back(describe_field(*field));
      if (field->kind == FieldKind::kMessage) add(field->message());
    }
    if (type.field_count == 0) {  // IDL knows no empty structure
      fields.push_back(make_field("structure_needs_at_least_one_member", FieldType::FIELD_TYPE_UINT8));
    }
  }

  void add(const tandem::ServiceType & type) {
    const std::string event = std::string(type.name) + "_Event";
    add(*type.request);
    add(*type.response);
    constexpr int kNested = FieldType::FIELD_TYPE_NESTED_TYPE;
    types_[type.name] = {make_field("request_message", kNested, 0, type.request->name),
                         make_field("response_message", kNested, 0, type.response->name),
                         make_field("event_message", kNested, 0, event)};
    types_[event] = {make_field("info", kNested, 0, kEventInfo),
                     make_field("request", kNested + kBoundedSequence, 1, type.request->name),
                     make_field("response", kNested + kBoundedSequence, 1, type.response->name)};
    types_[kEventInfo] = {make_field("event_type", FieldType::FIELD_TYPE_UINT8), make_field("stamp", kNested, 0, kTime),
                          make_field("client_gid", FieldType::FIELD_TYPE_UINT8 + kArray, kGidSize),
                          make_field("sequence_number", FieldType::FIELD_TYPE_INT64)};
    types_[kTime] = {make_field("sec", FieldType::FIELD_TYPE_INT32),
                     make_field("nanosec", FieldType::FIELD_TYPE_UINT32)};
  }

  TypeDescription of(const std::string & name) const {
    TypeDescription description;
    for (const auto & [type_name, fields] : types_) {
      IndividualTypeDescription type;
      type.type_name = type_name;
      type.fields.assign(fields.begin(), fields.end());
      if (type_name == name) {
        description.type_description = std::move(type);
      } else {
        description.referenced_type_descriptions.push_back(std::move(type));
      }
    }
    return description;
  }

 private:
  std::map<std::string, std::vector<Field>> types_;
};

/// Of "std_srvs/srv/SetBool_Request", which is defined with the service.
bool is_implicit(const std::string & name) {
  return name.find("/msg/") == std::string::npos && name.find('_', name.rfind('/')) != std::string::npos;
}

/// False if the type is not installed.
bool read_source(const std::string & name, TypeSource & source) {
  for (const auto & prefix : tandem::ament_prefixes(reinterpret_cast<const void *>(&read_source))) {
    for (const char * encoding : {"msg", "srv", "action", "idl"}) {
      std::ifstream file(prefix / "share" / (name + "." + encoding), std::ios::binary);
      if (file) {
        source.encoding = encoding;
        source.raw_file_contents = std::string(std::istreambuf_iterator<char>(file), {});
        return true;
      }
    }
  }
  return false;
}

}  // namespace

TypeDescription describe(const tandem::MessageType & type) {
  Description description;
  description.add(type);
  return description.of(type.name);
}

TypeDescription describe(const tandem::ServiceType & type) {
  Description description;
  description.add(type);
  return description.of(type.name);
}

std::vector<TypeSource> sources_of(const TypeDescription & description) {
  std::vector<TypeSource> sources;
  const auto add = [&](const IndividualTypeDescription & type) {
    TypeSource source;
    source.type_name = type.type_name.c_str();
    source.encoding = "implicit";
    if (is_implicit(type.type_name.c_str()) || read_source(type.type_name.c_str(), source)) {
      sources.push_back(std::move(source));
    }
  };
  add(description.type_description);
  for (const auto & type : description.referenced_type_descriptions) add(type);
  return sources;
}

}  // namespace rclcpp::detail
