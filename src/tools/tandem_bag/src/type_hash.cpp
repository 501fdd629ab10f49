#include "type_hash.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <string_view>

namespace tandem::bag {
namespace {

constexpr std::string_view kPrefix = "RIHS01_";

}  // namespace

std::array<std::uint8_t, 32> hash_of(const std::string & text) {
  std::array<std::uint8_t, 32> hash{};
  const bool is_hash = text.size() == kPrefix.size() + 2 * hash.size() && text.rfind(kPrefix, 0) == 0 &&
                       text.find_first_not_of("0123456789abcdef", kPrefix.size()) == std::string::npos;
  for (std::size_t i = 0; is_hash && i < hash.size(); ++i) {
    hash[i] = static_cast<std::uint8_t>(std::stoul(text.substr(kPrefix.size() + 2 * i, 2), nullptr, 16));
  }
  return hash;
}

std::string hash_text(const MessageType & type) {
  return fmt::format("{}{:02x}", kPrefix, fmt::join(type.hash, ""));
}

}  // namespace tandem::bag
