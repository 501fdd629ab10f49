// Single values as text: numbers as Python writes them, strings quoted as PyYAML does.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace tandem::detail {

/// The shortest text that reads back as the same number, in the form of Python's repr(): 1.0, 1e-05, inf, nan.
template <class Float>
std::string python_float(Float value);
extern template std::string python_float(float value);
extern template std::string python_float(double value);
extern template std::string python_float(long double value);

/// The same in YAML: 1.0, 1.0e-05, .inf, .nan.
template <class Float>
std::string yaml_float(Float value) {
  const std::string text = python_float(value);
  if (text.back() == 'f' || text.back() == 'n') {  // inf, -inf, nan
    return text[0] == '-' ? "-." + text.substr(1) : "." + text;
  }
  const std::size_t exponent = text.find('e');
  return exponent == std::string::npos || text.find('.') != std::string::npos
             ? text
             : text.substr(0, exponent) + ".0" + text.substr(exponent);
}

/// A byte in the form of Python's repr(): b'a', b'\x00'.
std::string python_byte(unsigned char byte);

/// Text as a YAML scalar: plain where that is read back as the same string, else quoted.
/// \param text  UTF-8
/// \param indent  columns at which further lines begin, if the text has several
std::string yaml_string(std::string_view text, bool in_flow, std::size_t indent);

}  // namespace tandem::detail
