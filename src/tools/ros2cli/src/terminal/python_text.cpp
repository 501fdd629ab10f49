#include "terminal/python_text.hpp"

#include <fmt/format.h>

#include <cmath>

#include "tandem/yaml.hpp"

namespace ros2cli {
namespace {

using tandem::FieldKind;
using tandem::FieldShape;
using tandem::Value;

/// In the quotes that Python would choose. Of text, bytes from 0x7f on are characters; of bytes they are numbers.
std::string quoted(std::string_view text, bool is_text) {
  const char quote = text.find('\'') != std::string_view::npos && text.find('"') == std::string_view::npos ? '"' : '\'';
  std::string result(1, quote);
  for (const char c : text) {
    const auto byte = static_cast<unsigned char>(c);
    if (c == quote || c == '\\') {
      result += '\\';
      result += c;
    } else if (c == '\n' || c == '\t' || c == '\r') {
      result += c == '\n' ? "\\n" : c == '\t' ? "\\t" : "\\r";
    } else if (byte < 0x20 || byte == 0x7f || (byte > 0x7f && !is_text)) {
      result += fmt::format("\\x{:02x}", byte);
    } else {
      result += c;
    }
  }
  return result + quote;
}

/// As Python's repr(): the shortest that reads back, with a point, an exponent of two digits, from 1e16.
std::string real(double value, bool is_single) {
  if (!std::isfinite(value)) {
    return std::isnan(value) ? "nan" : value < 0 ? "-inf" : "inf";
  }
  std::string text = is_single ? fmt::format("{}", static_cast<float>(value)) : fmt::format("{}", value);
  return text.find_first_of(".e") == std::string::npos ? text + ".0" : text;
}

/// "std_msgs.msg.Header" of "std_msgs/msg/Header".
std::string dotted(std::string name) {
  for (char & c : name) {
    c = c == '/' ? '.' : c;
  }
  return name;
}

std::string message_text(const Value & value) {
  std::string text = dotted(value.type->name) + '(';
  for (std::size_t i = 0; i < value.type->field_count; ++i) {
    text +=
        fmt::format("{}{}={}", i == 0 ? "" : ", ", value.type->fields[i].name, python_text(tandem::member(value, i)));
  }
  return text + ')';
}

}  // namespace

std::string python_text(const Value & value) {
  if (value.shape != FieldShape::kSingle) {
    std::string text = "[";
    for (std::size_t i = 0; i < tandem::element_count(value); ++i) {
      text += (i == 0 ? "" : ", ") + python_text(tandem::element(value, i));
    }
    return text + ']';
  }
  switch (value.kind) {
    case FieldKind::kMessage: return message_text(value);
    case FieldKind::kString: return quoted(tandem::as_string(value), true);
    case FieldKind::kBool: return tandem::as_uint64(value) != 0 ? "True" : "False";
    case FieldKind::kOctet: return python_bytes({static_cast<std::uint8_t>(tandem::as_uint64(value))});
    case FieldKind::kFloat32: return real(tandem::as_double(value), true);
    case FieldKind::kFloat64:
    case FieldKind::kLongDouble: return real(tandem::as_double(value), false);
    case FieldKind::kUint64: return fmt::format("{}", tandem::as_uint64(value));
    case FieldKind::kWchar:
    case FieldKind::kWstring: {
      std::string text = tandem::to_yaml(value);
      text.erase(text.find_last_not_of('\n') + 1);
      return text;
    }
    default: return fmt::format("{}", tandem::as_int64(value));
  }
}

std::string python_bytes(const std::vector<std::uint8_t> & bytes) {
  return 'b' + quoted({reinterpret_cast<const char *>(bytes.data()), bytes.size()}, false);
}

}  // namespace ros2cli
