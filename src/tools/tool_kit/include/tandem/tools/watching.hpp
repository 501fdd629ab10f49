// Watching a topic without disturbing it.
//
// The subscription is best effort and keeps the last messages only, so that no publisher ever waits for it; it asks for a
// held_quota of 1, and is lapped when it is slow or stopped. Where messages lie in shared memory it is looked at every few
// milliseconds rather than waited on: a publisher would have to wake the process for each message.
#pragma once

#include <cstdint>

#include "tandem/message_type.hpp"
#include "tandem/transport.hpp"

namespace tandem::tools {

/// Whether messages of the type may be as large as images are: it has a sequence without a bound.
bool may_be_large(const MessageType & type);

/// How many messages a watcher lags before it is lapped. What it lags is memory that the publisher cannot use again, so
/// it is bounded in bytes, as far as the type tells.
std::uint32_t watching_depth(const MessageType & type);

/// For somebody who looks 100 times a second and wants every message of common rates.
transport::Qos watching_qos(const MessageType & type);

/// Hands what is there to `use(sample)`, the oldest first; not without end, so that others have their turn.
template <class Use>
void take_all(transport::Subscription & subscription, Use use) {
  constexpr int kMost = 10000;
  for (int i = 0; i < kMost; ++i) {
    const transport::Sample sample = subscription.take();
    if (!sample) {
      return;
    }
    use(sample);
  }
}

/// The time when a message was published, in ns since the epoch; where the transport does not tell, the present.
std::int64_t time_of(const transport::MessageInfo & info);

}  // namespace tandem::tools
