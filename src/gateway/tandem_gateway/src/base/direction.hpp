// The two sides, and the ways between them.
#pragma once

namespace tandem::gateway {

enum class Side { kLocal, kNetwork };  ///< this host; the network
enum class Direction { kOut, kIn };    ///< from this host to the network; from the network to this host

}  // namespace tandem::gateway
