#include "record/recorded_topic.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "tandem/cdr.hpp"
#include "tandem/measure/clock.hpp"
#include "tandem/serialized_type.hpp"
#include "tandem/tools/error.hpp"
#include "tandem/tools/message_types.hpp"
#include "tandem/tools/watching.hpp"
#include "tandem/type_hash.hpp"

namespace tandem::bag {
namespace {

// What a recorder that stands still may cost a publisher: so many messages that it cannot use again.
constexpr std::uint32_t kLargeDepth = 32;       // of types that may be as large as images are
constexpr std::uint32_t kGreatestDepth = 1000;  // of others, within the bytes below
constexpr std::size_t kLagBytes = 4 << 20;
constexpr std::uint32_t kNetworkDepth = 1000;  // elsewhere they wait in this process
constexpr int kMostAtOnce = 1000;              // messages of a topic before others have their turn

std::uint32_t depth_for(const MessageType & type, const Taking & taking) {
  if (!taking.is_shared_memory) {
    return kNetworkDepth;
  }
  if (tools::may_be_large(type)) {
    return kLargeDepth;
  }
  const std::size_t fitting = kLagBytes / std::max<std::size_t>(type.size, 1);
  return static_cast<std::uint32_t>(std::clamp<std::size_t>(fitting, kLargeDepth, kGreatestDepth));
}

}  // namespace

const transport::EndpointInfo & example_of(const tools::Topic & topic) {
  return topic.publishers.empty() ? topic.subscriptions.front() : topic.publishers.front();
}

const MessageType & recording_type(const tools::Topic & topic, const Taking & taking) {
  const transport::EndpointInfo & endpoint = example_of(topic);
  if (topic.types.size() > 1) {
    throw Error(fmt::format("Topic '{}' has more than one type: {}. Only topics with one type are recorded",
                            endpoint.topic, fmt::join(topic.types, ", ")));
  }
  if (taking.is_dds) {
    // ROS 2 Humble tells no hash.
    return serialized_type(endpoint.type_name, parse_type_hash(endpoint.type_hash).value_or(TypeHash()));
  }
  try {
    return tools::installed_type(endpoint);
  } catch (const tools::Error & error) {
    throw Error(fmt::format("Topic '{}' cannot be recorded: {}", endpoint.topic, error.what()));
  }
}

Qos recording_qos(const tools::Topic & topic, const MessageType & type, const Taking & taking) {
  const auto all = [&](auto has) {
    return !topic.publishers.empty() &&
           std::all_of(topic.publishers.begin(), topic.publishers.end(), [&](const auto & p) { return has(p.qos); });
  };
  Qos qos;
  qos.depth = depth_for(type, taking);
  const bool is_reliable = all([](const Qos & q) { return q.reliability == Reliability::kReliable; });
  const bool is_lasting = all([](const Qos & q) { return q.durability == Durability::kTransientLocal; });
  qos.reliability = is_reliable ? Reliability::kReliable : Reliability::kBestEffort;
  qos.durability = is_lasting ? Durability::kTransientLocal : Durability::kVolatile;
  for (const auto & publisher : topic.publishers) {
    if (is_lasting) {  // the whole history is wanted
      const bool keeps_all = publisher.qos.history == History::kKeepAll;
      qos.depth = std::max(qos.depth, keeps_all ? kGreatestDepth : publisher.qos.depth);
    }
  }
  return qos;
}

void RecordedTopic::subscribe(transport::Context & context, const transport::NodeName & node, const Qos & qos) {
  transport::TopicOptions options;
  options.node = node;
  options.topic = name_;
  options.qos = qos;
  options.held_quota = references_ + 1;
  auto subscription = context.create_subscription(type_, options);
  lost_before_ += subscription_ ? subscription_->lost() : 0;
  subscription_ = std::move(subscription);
  qos_ = qos;
}

bool RecordedTopic::take(MessageCache * cache, const Stamp & stamp) {
  for (int i = 0; i < kMostAtOnce; ++i) {
    transport::Sample sample = subscription_->take();
    if (!sample) {
      return i != 0;
    }
    if (cache != nullptr && references_ == 0) {
      store(sample, *cache, stamp);
    } else if (cache != nullptr) {
      kept_.emplace_back(std::move(sample), stamp);
      if (kept_.size() > references_) {
        store(kept_.front().first, *cache, kept_.front().second);
        kept_.pop_front();
      }
    }
  }
  return true;
}

void RecordedTopic::store_references(MessageCache & cache) {
  for (const auto & [sample, stamp] : kept_) {
    store(sample, cache, stamp);
  }
  kept_.clear();
}

void RecordedTopic::store(const transport::Sample & sample, MessageCache & cache, const Stamp & stamp) {
  Message message;
  message.topic = number_;
  message.sequence = static_cast<std::uint32_t>(sample.info.sequence + 1);
  message.publish_time = sample.info.source_timestamp;
  if (stamp.uses_clock) {
    message.log_time = stamp.clock;
  } else if (stamp.is_shared_memory) {
    message.log_time = message.publish_time;  // it can be taken from then on; when we look is of no interest
  } else {
    message.log_time = sample.info.received_timestamp != 0 ? sample.info.received_timestamp : measure::wall_ns();
  }
  if (message.publish_time == 0) {
    message.publish_time = message.log_time;
  }
  message.size = serialized_size(type_, sample.message);
  std::uint8_t * const room = cache.begin(message.size);
  if (room == nullptr || serialize(type_, sample.message, room, message.size) != message.size) {
    lost_in_recorder_.fetch_add(1, std::memory_order_relaxed);
    return;
  }
  cache.end(message);
}

std::uint64_t RecordedTopic::lost_in_transport() const { return lost_before_ + subscription_->lost(); }

}  // namespace tandem::bag
