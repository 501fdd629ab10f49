// Strings that are cut and arrays that are named only, in the words of ROS 2's tools.
#include "text/shown_value.hpp"

#include "text/unicode.hpp"

namespace tandem::detail {

std::string shown_text(const Value & value, const YamlStyle & style) {
  std::string text = value.kind == FieldKind::kString ? cleaned(as_string(value)) : to_utf8(as_wstring(value));
  const bool counts = style.no_strings || style.truncate_length != kUnbounded;
  std::size_t characters = 0;
  std::size_t cut = text.size();
  for (std::size_t position = 0; counts && position < text.size(); ++characters) {
    cut = characters == style.truncate_length ? position : cut;
    next_character(text, position);
  }
  if (style.no_strings) {
    return "<string length: <" + std::to_string(characters) + ">>";
  }
  return cut < text.size() ? text.substr(0, cut) + kCut : text;
}

std::string shown_array(const Value & value) {
  const Value one{value.type, value.field, value.kind, FieldShape::kSingle, value.memory};
  const std::string bound = value.field->count == kUnbounded ? "" : "[" + std::to_string(value.field->count) + "]";
  return value.shape == FieldShape::kArray
             ? "<array type: " + kind_name(one) + bound + ">"
             : "<sequence type: " + kind_name(one) + bound + ", length: " + std::to_string(element_count(value)) + ">";
}

}  // namespace tandem::detail
