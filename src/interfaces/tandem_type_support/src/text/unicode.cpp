// Conversions between UTF-8 and UTF-16.
#include "text/unicode.hpp"

namespace tandem::detail {
namespace {

struct Sequence {
  int length;         ///< bytes; 0: no character begins so
  char32_t bits;      ///< of the first byte
  char32_t smallest;  ///< character that may be written with so many bytes
};

Sequence sequence_of(unsigned char first) noexcept {
  if (first < 0x80) {
    return {1, first, 0};
  }
  if ((first & 0xE0u) == 0xC0u) {
    return {2, first & 0x1Fu, 0x80};
  }
  if ((first & 0xF0u) == 0xE0u) {
    return {3, first & 0x0Fu, 0x800};
  }
  if ((first & 0xF8u) == 0xF0u) {
    return {4, first & 0x07u, 0x10000};
  }
  return {0, 0, 0};
}

bool is_character(char32_t c) noexcept { return c <= 0x10FFFF && (c < 0xD800 || c > 0xDFFF); }

}  // namespace

char32_t next_character(std::string_view text, std::size_t & position) noexcept {
  const Sequence sequence = sequence_of(static_cast<unsigned char>(text[position]));
  const auto length = static_cast<std::size_t>(sequence.length);
  if (length == 0 || length > text.size() - position) {
    ++position;
    return kReplacement;
  }
  char32_t c = sequence.bits;
  for (std::size_t i = 1; i < length; ++i) {
    const auto byte = static_cast<unsigned char>(text[position + i]);
    if ((byte & 0xC0u) != 0x80u) {
      ++position;
      return kReplacement;
    }
    c = c << 6 | (byte & 0x3Fu);
  }
  if (c < sequence.smallest || !is_character(c)) {
    ++position;
    return kReplacement;
  }
  position += length;
  return c;
}

void append_utf8(std::string & text, char32_t character) {
  const auto put = [&](char32_t byte) { text += static_cast<char>(byte); };
  if (character < 0x80) {
    put(character);
  } else if (character < 0x800) {
    put(0xC0 | character >> 6);
    put(0x80 | (character & 0x3F));
  } else if (character < 0x10000) {
    put(0xE0 | character >> 12);
    put(0x80 | (character >> 6 & 0x3F));
    put(0x80 | (character & 0x3F));
  } else {
    put(0xF0 | character >> 18);
    put(0x80 | (character >> 12 & 0x3F));
    put(0x80 | (character >> 6 & 0x3F));
    put(0x80 | (character & 0x3F));
  }
}

std::string to_utf8(std::u16string_view text) {
  std::string result;
  for (std::size_t i = 0; i < text.size(); ++i) {
    char32_t c = text[i];
    const bool is_pair =
        c >= 0xD800 && c <= 0xDBFF && i + 1 < text.size() && text[i + 1] >= 0xDC00 && text[i + 1] <= 0xDFFF;
    if (is_pair) {
      c = 0x10000 + ((c - 0xD800) << 10) + (text[++i] - 0xDC00u);
    }
    append_utf8(result, is_character(c) ? c : kReplacement);
  }
  return result;
}

std::u16string to_utf16(std::string_view text) {
  std::u16string result;
  for (std::size_t position = 0; position < text.size();) {
    const char32_t c = next_character(text, position);
    if (c < 0x10000) {
      result += static_cast<char16_t>(c);
    } else {
      result += static_cast<char16_t>(0xD800 + ((c - 0x10000) >> 10));
      result += static_cast<char16_t>(0xDC00 + ((c - 0x10000) & 0x3FF));
    }
  }
  return result;
}

std::string cleaned(std::string_view text) {
  std::string result;
  result.reserve(text.size());
  for (std::size_t position = 0; position < text.size();) {
    append_utf8(result, next_character(text, position));
  }
  return result;
}

}  // namespace tandem::detail
