// Numbers as YAML 1.1 writes them.
#pragma once

#include <string>

namespace tandem::detail {

/// Sets `value` from text such as 12, -0x1F, 0b11, 1_000, 3.0 (of an integer too, if it is whole), 1e5, .inf, .nan, true.
/// \return empty, or what is wrong with the text: "is no number", "is out of range".
/// Defined for bool, the integers, char16_t and the floating-point types.
template <class Number>
std::string parse_number(const std::string & text, Number & value);

}  // namespace tandem::detail
