// Base64 with padding (RFC 4648, section 4).
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace tandem::view {

std::string to_base64(const std::uint8_t * data, std::size_t size);

/// Up to the first character that does not belong there.
std::string from_base64(std::string_view text);

}  // namespace tandem::view
