// TANDEM_NETWORK: sees to it that this host has a gateway to the network.
#pragma once

#include <cstdint>

namespace rmw_tandem {

/// With TANDEM_NETWORK=fastdds or cyclonedds in the environment: starts tandem-gateway of this prefix for the domain,
/// unless one runs; it ends by itself 10 s after the last node. To be called when a node or an endpoint has been made, not
/// by whoever only looks at the graph: a gateway that is about to end gives up its lock and looks once more, so that it
/// sees the newcomer, or the newcomer sees no lock. Does something at the first call for a domain only.
/// Thread-safe. Errors: none; what goes wrong costs a line, and this host's topics go on.
void want_network(std::uint32_t domain) noexcept;

}  // namespace rmw_tandem
