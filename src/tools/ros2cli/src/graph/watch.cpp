#include "graph/watch.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <chrono>

#include "messages/message_types.hpp"
#include "tandem/measure/clock.hpp"
#include "terminal/errors.hpp"
#include "terminal/interrupt.hpp"

namespace ros2cli {
std::optional<transport::EndpointInfo> find_endpoint(const Session & session, const std::string & topic) {
  const auto topics = topics_of(session.graph(), true);
  const auto found = topics.find(topic);
  if (found == topics.end()) {
    return std::nullopt;
  }
  const Topic & ends = found->second;
  if (ends.types.size() > 1) {
    throw CommandError(fmt::format("topic '{}' has more than one type: {}", topic, fmt::join(ends.types, ", ")));
  }
  return ends.publishers.empty() ? ends.subscriptions.front() : ends.publishers.front();
}

std::optional<transport::EndpointInfo> await_endpoint(const Session & session, const std::string & topic) {
  bool has_warned = false;
  for (;;) {
    if (auto endpoint = find_endpoint(session, topic)) {
      return endpoint;
    }
    if (!has_warned) {
      fmt::print(stderr, "WARNING: topic [{}] does not appear to be published yet\n", topic);
      has_warned = true;
    }
    if (!sleep_for(std::chrono::milliseconds(100))) {
      return std::nullopt;
    }
  }
}

std::shared_ptr<transport::Subscription> watch(const Session & session, const tandem::MessageType & type,
                                               const WatchOptions & options) {
  transport::TopicOptions topic;
  topic.node = options.node;
  topic.topic = options.topic;
  topic.qos = options.qos;
  topic.held_quota = 1;
  return session.context().create_subscription(type, topic);
}

}  // namespace ros2cli
