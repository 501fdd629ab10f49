#include "tandem/tools/json.hpp"

#include <algorithm>
#include <string>
#include <string_view>
#include <utility>

#include "tandem/yaml.hpp"

namespace tandem::tools {
namespace {

Json message_to_json(const Value & value, const JsonStyle & style) {
  Json object = Json::object();
  for (std::size_t i = 0; i < value.type->field_count; ++i) {
    object[value.type->fields[i].name] = to_json(member(value, i), style);
  }
  return object;
}

Json shortened(Json first, std::size_t count) { return {{"$first", std::move(first)}, {"$count", count}}; }

Json elements_to_json(const Value & value, const JsonStyle & style) {
  const std::size_t count = element_count(value);
  Json array = Json::array();
  for (std::size_t i = 0; i < std::min(count, style.most); ++i) {
    array.push_back(to_json(element(value, i), style));
  }
  return count > style.most ? shortened(std::move(array), count) : array;
}

Json text_to_json(std::string_view text, const JsonStyle & style) {
  return text.size() > style.most ? shortened(std::string(text.substr(0, style.most)), text.size())
                                  : Json(std::string(text));
}

/// As YAML in one line, without its end.
std::string wide_text(const Value & value) {
  std::string text = to_yaml(value);
  text.erase(text.find_last_not_of('\n') + 1);
  return text;
}

}  // namespace

Json to_json(const Value & value, const JsonStyle & style) {
  if (value.shape != FieldShape::kSingle) {
    return elements_to_json(value, style);
  }
  switch (value.kind) {
    case FieldKind::kMessage: return message_to_json(value, style);
    case FieldKind::kString: return text_to_json(as_string(value), style);
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
