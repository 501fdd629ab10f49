// Hashes of types as text: "RIHS01_…".
#pragma once

#include <array>
#include <cstdint>
#include <string>

#include "tandem/message_type.hpp"

namespace tandem::bag {

/// All zero for a text that is no hash: ROS 2 Humble has none.
std::array<std::uint8_t, 32> hash_of(const std::string & text);
std::string hash_text(const MessageType & type);

}  // namespace tandem::bag
