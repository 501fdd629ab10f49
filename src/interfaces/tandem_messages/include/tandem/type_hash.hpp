// Hashes of types as text, as ROS 2 writes them.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace tandem {

using TypeHash = std::array<std::uint8_t, 32>;

/// "RIHS01_" and 64 digits. Errors: std::bad_alloc.
std::string type_hash_text(const TypeHash & hash);

/// The hash that such a text names; nothing for other texts.
std::optional<TypeHash> parse_type_hash(std::string_view text) noexcept;

}  // namespace tandem
