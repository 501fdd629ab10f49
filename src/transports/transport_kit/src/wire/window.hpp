// How many messages may be on their way.
#pragma once

#include <algorithm>
#include <cstddef>

#include "tandem/message_type.hpp"

namespace tandem::transport {

/// Messages that a keep-all reader may be behind, and that a queue without depth holds: fewer if they are large.
inline std::size_t window_of(const MessageType & type) {
  constexpr std::size_t kBytes = std::size_t{64} << 20;
  constexpr std::size_t kTypicalSize = std::size_t{256} << 10;  // of a message whose size is not fixed
  constexpr std::size_t kOverhead = 128;
  return std::clamp<std::size_t>(kBytes / ((type.is_fixed_size ? type.size : kTypicalSize) + kOverhead), 16, 1000);
}

}  // namespace tandem::transport
