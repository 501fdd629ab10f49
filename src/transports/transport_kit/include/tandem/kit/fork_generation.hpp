// Tells a process from its children.
#pragma once

#include <cstdint>

namespace tandem::transport {

/// Differs in a child of fork(), where nothing that its parent has open may be touched.
std::uint32_t fork_generation();

}  // namespace tandem::transport
