#include "world/readers.hpp"

#include <algorithm>

#include "tandem/cdr.hpp"
#include "tandem/introspection.hpp"
#include "tandem/measure/clock.hpp"
#include "tandem/tools/error.hpp"
#include "tandem/tools/watching.hpp"

namespace tandem::view {
namespace {

constexpr int kMostAtOnce = 10000;  // then others have their turn

bool has_stamp(const MessageType & type) {
  return type.field_count != 0 && type.fields[0].kind == FieldKind::kMessage &&
         type.fields[0].shape == FieldShape::kSingle &&
         std::string_view(type.fields[0].message().name) == "std_msgs/msg/Header";
}

/// ns of header.stamp; 0 where there is none.
std::int64_t stamp_of(const MessageType & type, const void * message) {
  const Value stamp = member(member(value_of(type, message), 0), 0);
  return as_int64(member(stamp, 0)) * 1'000'000'000 + as_int64(member(stamp, 1));
}

}  // namespace

const std::shared_ptr<const Bytes> & Delivery::cdr() {
  if (!cdr_) {
    cdr_ = std::make_shared<const Bytes>(serialize(type_, sample_.message));
  }
  return cdr_;
}

class Reader {
 public:
  Reader(transport::Context & context, transport::NodeName node, bool is_shared_memory, const Channel & channel)
      : context_(context), type_(*channel.type), is_latched_(channel.is_latched), has_stamp_(has_stamp(type_)) {
    options_.node = std::move(node);
    options_.topic = channel.topic;
    options_.qos = tools::watching_qos(type_);
    if (is_latched_) {
      options_.qos.durability = transport::Durability::kTransientLocal;
      if (!is_shared_memory) {  // others, as DDS, give what is kept to reliable readers only
        options_.qos.reliability = transport::Reliability::kReliable;
      }
    }
    options_.held_quota = 1;
    subscription_ = context_.create_subscription(type_, options_);
  }

  void add(const std::shared_ptr<Consumer> & consumer) {
    if (is_latched_ && !consumers_.empty()) {
      // A new subscription gets what is kept; those who have had it already are passed over.
      lost_before_ += subscription_->lost();
      subscription_ = context_.create_subscription(type_, options_);
      for (Entry & each : consumers_) {
        each.had = last_;
      }
    }
    consumers_.push_back({consumer, {}});
  }

  void poll() {
    // One message is held at a time: the last one, until there is a newer.
    for (int i = 0; i < kMostAtOnce && subscription_->has_data(); ++i) {
      newest_ = {};
      newest_ = subscription_->take();
      if (newest_) {
        take(newest_);
      }
    }
    std::erase_if(consumers_, [](const Entry & each) { return each.consumer.expired(); });
  }

  Timing & timing() { return timing_; }
  const Flow & flow() const { return flow_; }

  void show_newest(const Consumer & consumer) {
    if (newest_) {
      Delivery delivery(newest_, type_, tools::time_of(newest_.info));
      consumer(delivery);
    }
  }

  void measure(double seconds) {
    flow_ = {static_cast<double>(messages_) / seconds, static_cast<double>(bytes_) / seconds,
             lost_before_ + subscription_->lost()};
    messages_ = bytes_ = 0;
  }

 private:
  using Sequences = std::map<transport::Gid, std::uint64_t>;
  struct Entry {
    std::weak_ptr<Consumer> consumer;
    Sequences had;  // by publisher, the last message of a latched topic
  };

  void take(const transport::Sample & sample) {
    const std::int64_t time = tools::time_of(sample.info);
    count(sample, time);
    Delivery delivery(sample, type_, time);
    for (std::size_t i = 0; i < consumers_.size(); ++i) {  // more may come meanwhile
      const auto had = consumers_[i].had.find(sample.info.publisher);
      const bool is_known = had != consumers_[i].had.end() && sample.info.sequence <= had->second;
      if (const auto consumer = consumers_[i].consumer.lock(); consumer && !is_known) {
        (*consumer)(delivery);
      }
    }
    if (is_latched_) {
      last_[sample.info.publisher] = sample.info.sequence;
    }
  }

  void count(const transport::Sample & sample, std::int64_t time) {
    const std::int64_t now = measure::wall_ns();
    ++messages_;
    bytes_ += serialized_size(type_, sample.message);
    timing_.delivery.add(now, now - time);
    if (last_time_ != 0 && time >= last_time_) {
      timing_.interval.add(now, time - last_time_);
    }
    last_time_ = time;
    if (const std::int64_t stamp = has_stamp_ ? stamp_of(type_, sample.message) : 0; stamp != 0 && stamp <= time) {
      timing_.age.add(now, time - stamp);
    }
  }

  transport::Context & context_;
  const MessageType & type_;
  const bool is_latched_;
  const bool has_stamp_;
  transport::TopicOptions options_;
  std::shared_ptr<transport::Subscription> subscription_;
  std::vector<Entry> consumers_;
  Sequences last_;
  Timing timing_;
  transport::Sample newest_;
  Flow flow_;
  std::uint64_t messages_ = 0;  // since the last measure()
  std::uint64_t bytes_ = 0;
  std::uint64_t lost_before_ = 0;
  std::int64_t last_time_ = 0;
};

Readers::~Readers() = default;

Look Readers::look(const Channel & channel, Consumer consumer) {
  if (channel.type == nullptr) {
    throw tools::Error("messages of " + channel.topic + " cannot be read here: " + channel.objection);
  }
  std::weak_ptr<Reader> & known = readers_[channel.id];
  std::shared_ptr<Reader> reader = known.lock();
  if (!reader) {
    reader = std::make_shared<Reader>(context_, node_, is_shared_memory_, channel);
    known = reader;
  }
  struct Both {
    std::shared_ptr<Reader> reader;
    std::shared_ptr<Consumer> consumer;
  };
  auto both = std::make_shared<Both>(Both{reader, std::make_shared<Consumer>(std::move(consumer))});
  reader->add(both->consumer);
  return both;
}

void Readers::poll() {
  for (auto each = readers_.begin(); each != readers_.end();) {
    if (const auto reader = each->second.lock()) {
      reader->poll();
      ++each;
    } else {
      each = readers_.erase(each);
    }
  }
}

std::shared_ptr<Reader> Readers::find(std::uint32_t channel) const {
  const auto found = readers_.find(channel);
  return found != readers_.end() ? found->second.lock() : nullptr;
}

Timing * Readers::timing(std::uint32_t channel) {
  const auto reader = find(channel);
  return reader ? &reader->timing() : nullptr;
}

const Flow * Readers::flow(std::uint32_t channel) {
  const auto reader = find(channel);
  return reader ? &reader->flow() : nullptr;
}

void Readers::show_newest(std::uint32_t channel, const Consumer & consumer) {
  if (const auto reader = find(channel)) {
    reader->show_newest(consumer);
  }
}

void Readers::measure(double seconds) {
  for (const auto & [channel, each] : readers_) {
    if (const auto reader = each.lock()) {
      reader->measure(seconds);
    }
  }
}

}  // namespace tandem::view
