// What YAML and CSV show of values: the whole or, by YamlStyle, less.
#pragma once

#include <string>

#include "tandem/yaml.hpp"

namespace tandem::detail {

/// Stands at the end of what was cut.
inline constexpr const char * kCut = "...";

inline bool is_text(FieldKind kind) noexcept { return kind == FieldKind::kString || kind == FieldKind::kWstring; }
/// What Python shows as a string of one character.
inline bool is_byte(FieldKind kind) noexcept { return kind == FieldKind::kOctet || kind == FieldKind::kChar; }

/// The characters of a string in UTF-8, or what stands for them. \pre is_text(value.kind), kSingle
std::string shown_text(const Value & value, const YamlStyle & style);

/// Stands for the elements of an array or sequence.
std::string shown_array(const Value & value);

}  // namespace tandem::detail
