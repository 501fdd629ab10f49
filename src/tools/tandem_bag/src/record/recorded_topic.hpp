// A topic that is being recorded: its subscription, and how its messages become bytes.
#pragma once

#include <atomic>
#include <deque>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "node/taking.hpp"
#include "record/message_cache.hpp"
#include "tandem/bag/metadata.hpp"
#include "tandem/tools/graph.hpp"
#include "tandem/transport.hpp"

namespace tandem::bag {

/// An endpoint of the topic whose type is to be used, a publisher if there is one.
const transport::EndpointInfo & example_of(const tools::Topic & topic);

/// The type to subscribe with. \throws Error that says what is missing.
const MessageType & recording_type(const tools::Topic & topic, const Taking & taking);

/// QoS that matches all publishers of the topic, or as many as can be.
Qos recording_qos(const tools::Topic & topic, const MessageType & type, const Taking & taking);

class RecordedTopic {
 public:
  /// The last `references` messages stay where their publishers have put them, until later ones come.
  RecordedTopic(std::string name, std::uint32_t number, const MessageType & type, std::uint32_t references)
      : name_(std::move(name)), number_(number), type_(type), references_(references) {}

  const std::string & name() const { return name_; }
  std::uint32_t number() const { return number_; }
  const MessageType & type() const { return type_; }

  // The discovery thread, before the taking thread has it, or under its lock.
  void subscribe(transport::Context & context, const transport::NodeName & node, const Qos & qos);
  const Qos & qos() const { return qos_; }
  const std::shared_ptr<transport::Subscription> & subscription() const { return subscription_; }

  /// How a message is stored: `clock` is the time of /clock, or 0 to use the time when it was published.
  struct Stamp {
    bool is_shared_memory = false;
    bool uses_clock = false;
    std::int64_t clock = 0;
  };
  /// Takes what is there, not without end; into the cache unless `cache` is null. \return whether there was something.
  bool take(MessageCache * cache, const Stamp & stamp);
  /// Puts the messages that are kept where they lie into the cache.
  void store_references(MessageCache & cache);

  std::uint64_t lost_in_transport() const;
  std::uint64_t lost_in_recorder() const { return lost_in_recorder_.load(std::memory_order_relaxed); }

 private:
  void store(const transport::Sample & sample, MessageCache & cache, const Stamp & stamp);

  const std::string name_;
  const std::uint32_t number_;
  const MessageType & type_;
  Qos qos_;
  std::shared_ptr<transport::Subscription> subscription_;
  const std::uint32_t references_;
  std::deque<std::pair<transport::Sample, Stamp>> kept_;
  std::uint64_t lost_before_ = 0;  // by earlier subscriptions
  std::atomic<std::uint64_t> lost_in_recorder_ = 0;
};

}  // namespace tandem::bag
