#include "tandem/tools/json.hpp"

#include <string>

#include "tandem/yaml.hpp"

namespace tandem::tools {
namespace {

Json message_to_json(const Value & value) {
  Json object = Json::object();
  for (std::size_t i = 0; i < value.type->field_count; ++i) {
    object[value.type->fields[i].name] = to_json(member(value, i));
  }
  return object;
}

/// As YAML in one line, without its end.
std::string wide_text(const Value & value) {
  std::string text = to_yaml(value);
  text.erase(text.find_last_not_of('\n') + 1);
  return text;
}

}  // namespace

Json to_json(const Value & value) {
  if (value.shape != FieldShape::kSingle) {
    Json array = Json::array();
    for (std::size_t i = 0; i < element_count(value); ++i) {
      array.push_back(to_json(element(value, i)));
    }
    return array;
  }
  switch (value.kind) {
    case FieldKind::kMessage: return message_to_json(value);
    case FieldKind::kString: return std::string(as_string(value));
    case FieldKind::kWstring: return wide_text(value);
    case FieldKind::kBool: return as_uint64(value) != 0;
    case FieldKind::kFloat32:
    case FieldKind::kFloat64:
    case FieldKind::kLongDouble: return as_double(value);
    case FieldKind::kUint64: return as_uint64(value);
    default: return as_int64(value);
  }
}

}  // namespace tandem::tools
