// Watching a topic without disturbing it: what `echo`, `hz`, `bw` and `delay` have in common.
//
// The subscription is best effort and keeps the last messages only, so that no publisher ever waits for it; it holds one
// message at a time, and is lapped when it is slow or stopped.
#pragma once

#include <memory>
#include <optional>
#include <string>

#include "graph/graph.hpp"
#include "tandem/message_type.hpp"
#include "tandem/tools/watching.hpp"

namespace ros2cli {

using tandem::tools::take_all;
using tandem::tools::time_of;
using tandem::tools::watching_depth;
using tandem::tools::watching_qos;

/// The end of the topic whose type is to be used, a publisher if there is one; nothing for a topic that nobody has.
/// \throws CommandError if its ends have several types.
std::optional<transport::EndpointInfo> find_endpoint(const Session & session, const std::string & topic);

/// Waits for it, after one line that warns. Nothing when interrupted.
std::optional<transport::EndpointInfo> await_endpoint(const Session & session, const std::string & topic);

struct WatchOptions {
  transport::NodeName node;
  std::string topic;
  transport::Qos qos;
};

std::shared_ptr<transport::Subscription> watch(const Session & session, const tandem::MessageType & type,
                                               const WatchOptions & options);

}  // namespace ros2cli
