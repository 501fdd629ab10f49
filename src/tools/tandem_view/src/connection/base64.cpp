#include "connection/base64.hpp"

namespace tandem::view {
namespace {

constexpr std::string_view kDigits = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

}  // namespace

std::string to_base64(const std::uint8_t * data, std::size_t size) {
  std::string text;
  for (std::size_t i = 0; i < size; i += 3) {
    std::uint32_t bits = 0;
    for (std::size_t k = 0; k < 3; ++k) {
      bits = bits << 8 | (i + k < size ? data[i + k] : 0U);
    }
    for (std::size_t k = 0; k < 4; ++k) {
      text += k <= size - i ? kDigits[bits >> (18 - 6 * k) & 63] : '=';
    }
  }
  return text;
}

std::string from_base64(std::string_view text) {
  std::string bytes;
  std::uint32_t bits = 0;
  int count = 0;
  for (const char c : text) {
    const std::size_t digit = kDigits.find(c);
    if (digit == std::string_view::npos) {
      break;
    }
    bits = bits << 6 | static_cast<std::uint32_t>(digit);
    count += 6;
    if (count >= 8) {
      count -= 8;
      bytes += static_cast<char>(static_cast<std::uint8_t>(bits >> count));
    }
  }
  return bytes;
}

}  // namespace tandem::view
