// How PyYAML writes scalars, which is what users of `ros2 topic echo` know: when a string can be plain, when it must be
// quoted and how.
#include "text/scalar_text.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <regex>

#include "text/unicode.hpp"

namespace tandem::detail {
namespace {

constexpr std::string_view kBlanks{"\0 \t\r\n", 5};

bool is_one_of(char c, std::string_view characters) noexcept { return characters.find(c) != std::string_view::npos; }

/// Whether a character can stand in text as it is. Line breaks can.
bool is_printable(char32_t c) noexcept {
  return c == '\n' || (c >= 0x20 && c <= 0x7E) || (c >= 0xA0 && c <= 0xD7FF && c != 0x2028 && c != 0x2029) ||
         (c >= 0xE000 && c <= 0xFFFD && c != 0xFEFF) || (c >= 0x10000 && c < 0x10FFFF);
}

bool is_all_printable(std::string_view text) noexcept {
  for (std::size_t position = 0; position < text.size();) {
    if (!is_printable(next_character(text, position))) {
      return false;
    }
  }
  return true;
}

/// Whether YAML 1.1 takes the plain text for something else than a string.
bool is_taken_for_other(std::string_view text) {
  static constexpr std::array kWords = {
      "yes", "Yes", "YES", "no",  "No",  "NO", "true", "True", "TRUE", "false", "False", "FALSE", "on",
      "On",  "ON",  "off", "Off", "OFF", "~",  "null", "Null", "NULL", "<<",    "=",     "",
  };
  if (std::find(kWords.begin(), kWords.end(), text) != kWords.end()) {
    return true;
  }
  constexpr std::size_t kLongestNumber = 256;
  if (!is_one_of(text[0], "+-.0123456789") || text.size() > kLongestNumber) {
    return false;
  }
  static const std::regex kNumber(
      "[-+]?(0b[01_]+|0[0-7_]+|0|[1-9][0-9_]*|0x[0-9a-fA-F_]+|[1-9][0-9_]*(:[0-5]?[0-9])+"
      "|[0-9][0-9_]*\\.[0-9_]*([eE][-+][0-9]+)?|[0-9][0-9_]*(:[0-5]?[0-9])+\\.[0-9_]*|\\.(inf|Inf|INF))"
      "|\\.[0-9][0-9_]*([eE][-+][0-9]+)?|\\.(nan|NaN|NAN)"
      "|[0-9]{4}-[0-9]{2}-[0-9]{2}"
      "|[0-9]{4}-[0-9]{1,2}-[0-9]{1,2}([Tt]|[ \\t]+)[0-9]{1,2}:[0-9]{2}:[0-9]{2}(\\.[0-9]*)?"
      "([ \\t]*(Z|[-+][0-9]{1,2}(:[0-9]{2})?))?",
      std::regex::optimize);
  return std::regex_match(text.begin(), text.end(), kNumber);
}

/// Whether a character, by where it stands, is part of YAML's own syntax.
bool is_indicator(std::string_view text, std::size_t index, bool in_flow) noexcept {
  const char c = text[index];
  const bool blank_follows = index + 1 >= text.size() || is_one_of(text[index + 1], kBlanks);
  if (c == ':') {
    return in_flow || blank_follows;
  }
  if (index == 0) {
    return is_one_of(c, "#,[]{}&*!|>'\"%@`") || (c == '?' && (in_flow || blank_follows)) || (c == '-' && blank_follows);
  }
  return (in_flow && is_one_of(c, ",?[]{}")) || (c == '#' && is_one_of(text[index - 1], kBlanks));
}

bool can_be_plain(std::string_view text, bool in_flow) {
  const auto is_edge = [](char c) { return c == ' ' || c == '\n'; };
  if (text.empty() || is_edge(text.front()) || is_edge(text.back()) || text.substr(0, 3) == "---" ||
      text.substr(0, 3) == "..." || text.find('\n') != std::string_view::npos) {
    return false;
  }
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (is_indicator(text, i, in_flow)) {
      return false;
    }
  }
  return !is_taken_for_other(text);
}

/// A break in single quotes is an empty line. Blanks next to it would be lost, and yaml-cpp loses breaks at the end.
bool can_be_single_quoted(std::string_view text) noexcept {
  const bool ends_with_breaks = text == "\n" || (text.size() > 1 && text.substr(text.size() - 2) == "\n\n");
  return !ends_with_breaks && text.find(" \n") == std::string_view::npos && text.find("\n ") == std::string_view::npos;
}

std::string single_quoted(std::string_view text, std::size_t indent) {
  std::string result = "'";
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text[i] == '\n') {
      const std::size_t end = std::min(text.find_first_not_of('\n', i), text.size());
      result.append(end - i + 1, '\n').append(indent, ' ');
      i = end - 1;
    } else {
      result.append(text[i] == '\'' ? 2 : 1, text[i]);
    }
  }
  return result + "'";
}

std::string escape(char32_t c) {
  static constexpr char32_t kCharacters[] = {0, 7, 8, 9, 10, 11, 12, 13, 27, '"', '\\', 0x2028, 0x2029};
  static constexpr std::string_view kLetters = "0abtnvfre\"\\LP";
  const auto * const found = std::find(std::begin(kCharacters), std::end(kCharacters), c);
  if (found != std::end(kCharacters)) {
    return {'\\', kLetters[static_cast<std::size_t>(found - std::begin(kCharacters))]};
  }
  char text[16];
  const char * const format = c <= 0xFF ? "\\x%02X" : c <= 0xFFFF ? "\\u%04X" : "\\U%08X";
  std::snprintf(text, sizeof text, format, static_cast<unsigned>(c));
  return text;
}

std::string double_quoted(std::string_view text) {
  std::string result = "\"";
  for (std::size_t position = 0; position < text.size();) {
    const char32_t c = next_character(text, position);
    if (c == '"' || c == '\\' || c == '\n' || c > 0xFFFF || !is_printable(c)) {
      result += escape(c);
    } else {
      append_utf8(result, c);
    }
  }
  return result + "\"";
}

}  // namespace

template <class Float>
std::string python_float(Float value) {
  if (std::isnan(value)) {
    return "nan";
  }
  if (std::isinf(value)) {
    return value < 0 ? "-inf" : "inf";
  }
  char text[64];
  char * const end = std::to_chars(text, text + sizeof text, value, std::chars_format::scientific).ptr;
  char * const e = std::find(text, end, 'e');  // [-]d[.ddd]e[+-]dd
  const bool is_negative = text[0] == '-';
  std::string digits(text + is_negative, e);
  digits.erase(std::remove(digits.begin(), digits.end(), '.'), digits.end());
  const int point = std::atoi(std::string(e + 1, end).c_str()) + 1;  // digits before the decimal point
  const std::string sign = is_negative ? "-" : "";
  constexpr int kFewest = -4;
  constexpr int kMost = 16;
  if (point <= kFewest || point > kMost) {
    return std::string(text, end);
  }
  if (point <= 0) {
    return sign + "0." + std::string(static_cast<std::size_t>(-point), '0') + digits;
  }
  const auto whole = static_cast<std::size_t>(point);
  if (whole >= digits.size()) {
    return sign + digits + std::string(whole - digits.size(), '0') + ".0";
  }
  return sign + digits.substr(0, whole) + "." + digits.substr(whole);
}

template std::string python_float(float value);
template std::string python_float(double value);
template std::string python_float(long double value);

std::string python_byte(unsigned char byte) {
  switch (byte) {
    case '\t': return "b'\\t'";
    case '\n': return "b'\\n'";
    case '\r': return "b'\\r'";
    case '\\': return "b'\\\\'";
    case '\'': return "b\"'\"";
    default: break;
  }
  char text[8];
  std::snprintf(text, sizeof text, byte >= 0x20 && byte <= 0x7E ? "b'%c'" : "b'\\x%02x'", byte);
  return text;
}

std::string yaml_string(std::string_view text, bool in_flow, std::size_t indent) {
  if (!is_all_printable(text)) {
    return double_quoted(text);
  }
  if (can_be_plain(text, in_flow)) {
    return std::string(text);
  }
  return can_be_single_quoted(text) ? single_quoted(text, indent) : double_quoted(text);
}

}  // namespace tandem::detail
