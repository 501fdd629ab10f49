#include "tandem/type_hash.hpp"

namespace tandem {
namespace {

constexpr std::string_view kPrefix = "RIHS01_";
constexpr std::string_view kDigits = "0123456789abcdef";

}  // namespace

std::string type_hash_text(const TypeHash & hash) {
  std::string text(kPrefix);
  for (const std::uint8_t byte : hash) {
    text += kDigits[byte >> 4];
    text += kDigits[byte & 15];
  }
  return text;
}

std::optional<TypeHash> parse_type_hash(std::string_view text) noexcept {
  TypeHash hash{};
  if (text.substr(0, kPrefix.size()) != kPrefix || text.size() != kPrefix.size() + 2 * hash.size()) {
    return std::nullopt;
  }
  text.remove_prefix(kPrefix.size());
  for (std::size_t i = 0; i < hash.size(); ++i) {
    const std::size_t high = kDigits.find(text[2 * i]);
    const std::size_t low = kDigits.find(text[2 * i + 1]);
    if (high == std::string_view::npos || low == std::string_view::npos) {
      return std::nullopt;
    }
    hash[i] = static_cast<std::uint8_t>(high << 4 | low);
  }
  return hash;
}

}  // namespace tandem
