// UTF-8 and UTF-16, where what is malformed becomes U+FFFD.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace tandem::detail {

inline constexpr char32_t kReplacement = 0xFFFD;

/// The character at `position`, which moves behind it. \pre position < text.size()
char32_t next_character(std::string_view text, std::size_t & position) noexcept;

void append_utf8(std::string & text, char32_t character);

std::string to_utf8(std::u16string_view text);
std::u16string to_utf16(std::string_view text);

/// Well-formed text without change, other text with replacements.
std::string cleaned(std::string_view text);

}  // namespace tandem::detail
