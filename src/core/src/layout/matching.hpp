// When a publisher and a subscription of one topic match, and what to say when they do not.
#pragma once

#include <string>

#include "tandem/types.hpp"

namespace tandem {

/// Empty if they match, else a sentence with what differs and both values.
std::string mismatch(const EndpointInfo & publisher, const EndpointInfo & subscription);

/// Whether the publisher may never overrun the subscription.
bool owes_everything(const Qos & publisher, const Qos & subscription);

}  // namespace tandem
