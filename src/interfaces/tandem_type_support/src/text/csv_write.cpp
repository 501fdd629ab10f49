// Messages as one line of values, with Python's text for each, as `ros2 topic echo --csv` prints them.
#include <string>

#include "fields/elements.hpp"
#include "tandem/yaml.hpp"
#include "text/scalar_text.hpp"
#include "text/shown_value.hpp"
#include "text/unicode.hpp"

namespace tandem {
namespace {

using namespace detail;

class CsvWriter {
 public:
  explicit CsvWriter(const YamlStyle & style) : style_(style) {}

  void write(const Value & value) {
    if (value.shape != FieldShape::kSingle) {
      array(value);
    } else if (value.kind == FieldKind::kMessage) {
      for (std::size_t i = 0; i < value.type->field_count; ++i) {
        text_ += i == 0 ? "" : ",";
        write(member(value, i));
      }
    } else if (is_text(value.kind)) {
      text_ += shown_text(value, style_);
    } else {
      number(value);
    }
  }

  std::string take() { return std::move(text_); }

 private:
  void array(const Value & value) {
    if (style_.no_arrays) {
      text_ += shown_array(value);
      return;
    }
    const std::size_t count = element_count(value);
    for (std::size_t i = 0; i < count; ++i) {
      text_ += i == 0 ? "" : ",";
      if (i == style_.truncate_length) {
        text_ += kCut;
        return;
      }
      write(element(value, i));
    }
  }

  void number(const Value & value) {
    with_number(value.kind, value.memory, [&](auto number) {
      using Number = decltype(number);
      if constexpr (std::is_same_v<Number, bool>) {
        text_ += number ? "True" : "False";
      } else if constexpr (std::is_floating_point_v<Number>) {
        text_ += python_float(number);
      } else if constexpr (std::is_same_v<Number, char16_t>) {
        text_ += to_utf8(std::u16string_view(&number, 1));
      } else if (is_byte(value.kind)) {
        text_ += python_byte(static_cast<unsigned char>(number));
      } else {
        text_ += std::to_string(number);
      }
    });
  }

  const YamlStyle & style_;
  std::string text_;
};

}  // namespace

std::string to_csv(const Value & value, const YamlStyle & style) {
  CsvWriter writer(style);
  writer.write(value);
  return writer.take();
}

}  // namespace tandem
