// The copy that publish_copy() makes.
#pragma once

#include <cstddef>

namespace tandem {

/// From this size on a message is written past the caches: the blocks that are used in turn do not stay in them anyway, and
/// a store that goes through them first reads what it overwrites.
inline constexpr std::size_t kLeastStreamed = std::size_t{4} << 20;

/// As std::memcpy. `to` is aligned to 16 bytes. All of it is written, for whoever is told so by a release, once this returns.
void copy_message(void * to, const void * from, std::size_t size);

}  // namespace tandem
