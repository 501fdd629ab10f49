#include "watch.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <chrono>

#include "errors.hpp"
#include "interrupt.hpp"
#include "message_types.hpp"
#include "tandem/measure/clock.hpp"

namespace ros2cli {
namespace {

constexpr std::size_t kLagBytes = std::size_t{32} << 20;
constexpr std::size_t kLeastDepth = 10;
constexpr std::size_t kTextDepth = 100;       ///< for types that vary by their strings only, which are short
constexpr std::uint32_t kCountingDepth = 30;  ///< at least, for who looks only 100 times a second
constexpr std::size_t kGreatestDepth = 1000;

/// Whether messages may be as large as images are.
bool may_be_large(const tandem::MessageType & type) {
  return std::any_of(type.fields, type.fields + type.field_count, [](const tandem::Field & field) {
    return (field.shape == tandem::FieldShape::kSequence && field.count == tandem::kUnbounded) ||
           (field.kind == tandem::FieldKind::kMessage && may_be_large(field.message()));
  });
}

}  // namespace

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

std::uint32_t watching_depth(const tandem::MessageType & type) {
  if (is_opaque(type) || may_be_large(type)) {
    return kLeastDepth;
  }
  if (!type.is_fixed_size) {
    return kTextDepth;
  }
  return static_cast<std::uint32_t>(
      std::clamp(kLagBytes / std::max<std::size_t>(type.size, 1), kLeastDepth, kGreatestDepth));
}

transport::Qos watching_qos(const tandem::MessageType & type) {
  transport::Qos qos;
  qos.depth = watching_depth(type);
  if (is_opaque(type) || !type.is_fixed_size) {
    qos.depth = std::max(qos.depth, kCountingDepth);
  }
  qos.reliability = transport::Reliability::kBestEffort;
  return qos;
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

std::int64_t time_of(const transport::MessageInfo & info) {
  return info.source_timestamp != 0 ? info.source_timestamp : tandem::measure::wall_ns();
}

}  // namespace ros2cli
