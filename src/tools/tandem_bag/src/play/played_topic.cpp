#include "play/played_topic.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "bag/qos_yaml.hpp"
#include "tandem/cdr.hpp"
#include "tandem/serialized_type.hpp"
#include "tandem/type_hash.hpp"
#include "tandem/type_library.hpp"

namespace tandem::bag {
namespace {

const MessageType & playing_type(const Topic & topic, const Stage & stage) {
  if (topic.serialization_format != "cdr") {
    throw Error(fmt::format("Topic '{}' is not played: it is stored as '{}', not as cdr", topic.name,
                            topic.serialization_format));
  }
  if (stage.sends_cdr) {
    return serialized_type(topic.type, parse_type_hash(topic.type_hash).value_or(TypeHash()));
  }
  const auto type = find_message_type(topic.type);
  if (!type) {
    throw Error(fmt::format("Topic '{}' is not played: {}", topic.name, type.error()));
  }
  if (!topic.type_hash.empty() && topic.type_hash != type_hash_text((**type).hash)) {
    throw Error(fmt::format("Topic '{}' is not played: {} is defined otherwise here than it was recorded ({}, not {})",
                            topic.name, topic.type, type_hash_text((**type).hash), topic.type_hash));
  }
  return **type;
}

std::string remapped(const std::string & name, const PlayerOptions & options) {
  const auto other = options.remaps.find(name);
  return other != options.remaps.end() ? other->second : name;
}

Qos playing_qos(const Topic & topic, const PlayerOptions & options) {
  const auto asked = options.qos_overrides.find(topic.name);
  if (asked != options.qos_overrides.end()) {
    return asked->second;
  }
  const std::vector<Qos> & offered = topic.offered_qos;
  const auto is_as_first = [&](const Qos & qos) { return are_equal(qos, offered.front()); };
  const bool are_all_equal = !offered.empty() && std::all_of(offered.begin(), offered.end(), is_as_first);
  Qos qos = are_all_equal ? offered.front() : Qos();
  // What depends on when its publisher published is not the same when it is played.
  qos.deadline = kInfinite;
  qos.lifespan = kInfinite;
  qos.liveliness = Liveliness::kAutomatic;
  qos.lease = kInfinite;
  return qos;
}

transport::TopicOptions topic_options(const Topic & topic, const PlayerOptions & options, const Stage & stage) {
  transport::TopicOptions made;
  made.node = stage.node;
  made.topic = remapped(topic.name, options);
  made.qos = playing_qos(topic, options);
  return made;
}

class PlayedMessages : public PlayedTopic {
 public:
  PlayedMessages(const Topic & topic, const PlayerOptions & options, const Stage & stage)
      : topic_(topic.name),
        type_(playing_type(topic, stage)),
        publisher_(stage.context.create_publisher(type_, topic_options(topic, options, stage))),
        lends_(!options.disable_loans && publisher_->can_loan()) {}

  bool prepare(const Message & message) override {
    loan_ = lends_ ? publisher_->borrow() : transport::Loan();
    void * memory = loan_ ? loan_.data() : nullptr;
    if (memory == nullptr) {
      if (!owned_) {
        owned_ = make_message(type_);
      }
      memory = owned_.get();
    }
    const auto done = deserialize(type_, message.data, message.size, memory);
    if (!done) {
      loan_ = transport::Loan();
      throw Error(fmt::format("A message of '{}' is not played: {}", topic_, done.error()));
    }
    return true;
  }

  void publish() override {
    if (loan_) {
      publisher_->publish(std::move(loan_));
    } else {
      publisher_->publish(owned_);
    }
  }

  void wait_for_all_acked(nanoseconds timeout) override { publisher_->wait_for_all_acked(timeout); }

 private:
  const std::string topic_;
  const MessageType & type_;
  const std::shared_ptr<transport::Publisher> publisher_;
  const bool lends_;
  transport::Loan loan_;
  transport::OwnedMessage owned_;
};

}  // namespace

std::unique_ptr<PlayedTopic> play_messages(const Topic & topic, const PlayerOptions & options, const Stage & stage) {
  return std::make_unique<PlayedMessages>(topic, options, stage);
}

}  // namespace tandem::bag
