// Watching a topic without disturbing it: what `echo`, `hz`, `bw` and `delay` have in common.
//
// The subscription is best effort and keeps the last messages only, so that no publisher ever waits for it; it holds one
// message at a time, and is lapped when it is slow or stopped.
#pragma once

#include <memory>
#include <optional>
#include <string>

#include "graph.hpp"
#include "tandem/message_type.hpp"

namespace ros2cli {

/// The end of the topic whose type is to be used, a publisher if there is one; nothing for a topic that nobody has.
/// \throws CommandError if its ends have several types.
std::optional<transport::EndpointInfo> find_endpoint(const Session & session, const std::string & topic);

/// Waits for it, after one line that warns. Nothing when interrupted.
std::optional<transport::EndpointInfo> await_endpoint(const Session & session, const std::string & topic);

/// How many messages a watcher lags before it is lapped. What it lags is memory that the publisher cannot use again, so
/// it is bounded in bytes, as far as the type tells.
std::uint32_t watching_depth(const tandem::MessageType & type);

transport::Qos watching_qos(const tandem::MessageType & type);

struct WatchOptions {
  transport::NodeName node;
  std::string topic;
  transport::Qos qos;
};

std::shared_ptr<transport::Subscription> watch(const Session & session, const tandem::MessageType & type,
                                               const WatchOptions & options);

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

}  // namespace ros2cli
