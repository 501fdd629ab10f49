// What two forwarders have carried.
#pragma once

#include "forwarding/forwarder.hpp"
#include "tandem/gateway/gateway.hpp"

namespace tandem::gateway {

/// Without the numbers of nodes. Thread-safe.
Status status_of(Forwarder & out, Forwarder & in);

}  // namespace tandem::gateway
