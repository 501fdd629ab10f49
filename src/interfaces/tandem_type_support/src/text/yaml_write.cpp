// Messages as YAML, laid out as ROS 2's tools do (rosidl_runtime_py over PyYAML).
#include <string>

#include "fields/elements.hpp"
#include "tandem/yaml.hpp"
#include "text/scalar_text.hpp"
#include "text/shown_value.hpp"
#include "text/unicode.hpp"

namespace tandem {
namespace {

using namespace detail;

class YamlWriter {
 public:
  explicit YamlWriter(const YamlStyle & style) : style_(style) {}

  void root(const Value & value) {
    if (style_.flow || (value.shape == FieldShape::kSingle && value.kind != FieldKind::kMessage)) {
      flow(value, 0);
      text_ += '\n';
    } else if (value.shape != FieldShape::kSingle) {
      if (!short_form(value, 0)) {
        block_elements(value, 0);
      }
    } else if (value.type->field_count == 0) {
      text_ += "{}\n";
    } else {
      block_message(value, 0);
    }
  }

  std::string take() { return std::move(text_); }

 private:
  void block_message(const Value & message, std::size_t indent) {
    for (std::size_t i = 0; i < message.type->field_count; ++i) {
      if (i != 0 || !at_dash_) {
        text_.append(indent, ' ');
      }
      at_dash_ = false;
      const Value value = member(message, i);
      text_ += value.field->name;
      text_ += ':';
      if (value.shape != FieldShape::kSingle) {
        text_ += ' ';
        if (!short_form(value, indent)) {
          text_.back() = '\n';
          block_elements(value, indent);
        }
      } else if (value.kind == FieldKind::kMessage && value.type->field_count != 0) {
        text_ += '\n';
        block_message(value, indent + kStep);
      } else {
        text_ += ' ';
        flow(value, indent);
        text_ += '\n';
      }
    }
  }

  /// What fits behind the name: an empty sequence, or that there is one. \return false if there are elements to write
  bool short_form(const Value & value, std::size_t indent) {
    if (!style_.no_arrays && element_count(value) != 0) {
      return false;
    }
    flow(value, indent);
    text_ += '\n';
    return true;
  }

  void block_elements(const Value & array, std::size_t indent) {
    const std::size_t count = element_count(array);
    for (std::size_t i = 0; i < count; ++i) {
      text_.append(indent, ' ').append("- ");
      if (i == style_.truncate_length) {
        text_ += yaml_string(kCut, false, 0) + '\n';
        return;
      }
      const Value value = element(array, i);
      if (value.kind == FieldKind::kMessage && value.type->field_count != 0) {
        at_dash_ = true;
        block_message(value, indent + kStep);
      } else {
        flow(value, indent);
        text_ += '\n';
      }
    }
  }

  void flow(const Value & value, std::size_t indent) {
    if (value.shape != FieldShape::kSingle) {
      flow_array(value, indent);
    } else if (value.kind == FieldKind::kMessage) {
      ++flow_level_;
      for (std::size_t i = 0; i < value.type->field_count; ++i) {
        const Value part = member(value, i);
        text_ += i == 0 ? "{" : ", ";
        text_ += part.field->name;
        text_ += ": ";
        flow(part, indent + kStep);
      }
      --flow_level_;
      text_ += value.type->field_count == 0 ? "{}" : "}";
    } else {
      scalar(value, indent);
    }
  }

  void flow_array(const Value & array, std::size_t indent) {
    if (style_.no_arrays) {
      string(shown_array(array), indent);
      return;
    }
    ++flow_level_;
    const std::size_t count = element_count(array);
    text_ += '[';
    for (std::size_t i = 0; i < count; ++i) {
      text_ += i == 0 ? "" : ", ";
      if (i == style_.truncate_length) {
        string(kCut, indent);
        break;
      }
      flow(element(array, i), indent + kStep);
    }
    text_ += ']';
    --flow_level_;
  }

  void scalar(const Value & value, std::size_t indent) {
    if (is_text(value.kind)) {
      string(shown_text(value, style_), indent);
      return;
    }
    with_number(value.kind, value.memory, [&](auto number) {
      using Number = decltype(number);
      if constexpr (std::is_same_v<Number, bool>) {
        text_ += number ? "true" : "false";
      } else if constexpr (std::is_floating_point_v<Number>) {
        text_ += yaml_float(number);
      } else if constexpr (std::is_same_v<Number, char16_t>) {
        string(to_utf8(std::u16string_view(&number, 1)), indent);
      } else if (is_byte(value.kind)) {
        std::string character;
        append_utf8(character, static_cast<char32_t>(number));
        string(character, indent);
      } else {
        text_ += std::to_string(number);
      }
    });
  }

  void string(std::string_view text, std::size_t indent) {
    text_ += yaml_string(text, flow_level_ != 0, indent + kStep);
  }

  static constexpr std::size_t kStep = 2;

  const YamlStyle & style_;
  std::string text_;
  int flow_level_ = 0;
  bool at_dash_ = false;  ///< a dash has just been written, and the next field goes behind it
};

}  // namespace

std::string to_yaml(const Value & value, const YamlStyle & style) {
  YamlWriter writer(style);
  writer.root(value);
  return writer.take();
}

std::string to_yaml(const MessageType & type, const void * message, const YamlStyle & style) {
  return to_yaml(value_of(type, message), style);
}

}  // namespace tandem
