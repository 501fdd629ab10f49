#include "subscription.hpp"

#include <fastdds/dds/subscriber/SampleInfo.hpp>

#include <algorithm>
#include <map>
#include <set>
#include <utility>

#include "data_type.hpp"
#include "held_samples.hpp"
#include "plain.hpp"
#include "settings.hpp"
#include "tandem/cdr.hpp"
#include "tandem/kit/bell.hpp"
#include "tandem/kit/endpoint.hpp"
#include "tandem/kit/own_message.hpp"

namespace rmw_fastrtps {
namespace {

using eprosima::fastrtps::types::ReturnCode_t;
using namespace tandem::transport;  // NOLINT: all that this file implements

/// Writers that have gone are remembered up to here: what they left in the history is still counted.
constexpr std::size_t kMostKnown = 64;

/// Takes no notice of what comes.
class Discarded final : public Incoming {
 public:
  bool accept(const void *, std::uint32_t) override { return true; }
};

/// Deserializes into an object of the caller's.
class Copied final : public Incoming {
 public:
  Copied(const tandem::MessageType & type, void * message) : type_(type), message_(message) {}
  bool accept(const void * bytes, std::uint32_t size) override {
    const auto read = tandem::deserialize(type_, bytes, size, message_);
    if (!read) {
      error = read.error();
    }
    return read.has_value();
  }
  std::string error;  ///< of the last one that was dropped

 private:
  const tandem::MessageType & type_;
  void * const message_;
};

/// Reads in place if that can be, else deserializes into an object that it makes.
class Kept final : public Incoming {
 public:
  Kept(const tandem::MessageType & type, HeldSamples * held) : type_(type), held_(held) {}
  bool accept(const void * bytes, std::uint32_t size) override {
    in_place = {};  // of a sample that was overwritten meanwhile
    if (held_ != nullptr && size >= kEncapsulation + type_.size) {
      in_place = held_->hold(static_cast<const std::byte *>(bytes) + kEncapsulation, type_.size);
    }
    if (in_place.message != nullptr) {
      return true;
    }
    if (!own) {
      own = std::make_shared<OwnMessage>(type_);
    }
    Copied copy(type_, own->get());
    const bool is_good = copy.accept(bytes, size);
    error = std::move(copy.error);
    return is_good;
  }
  InPlace in_place;
  std::shared_ptr<OwnMessage> own;
  std::string error;

 private:
  const tandem::MessageType & type_;
  HeldSamples * const held_;
};

/// What has come of a writer. Several threads may take, so that a later message is counted before an earlier one.
struct Record {
  std::uint64_t first = 0;
  std::uint64_t next = 0;  ///< after the latest that was taken or dropped
  std::uint64_t taken = 0;
  std::uint64_t lost() const { return next - first > taken ? next - first - taken : 0; }
};

class FastSubscription final : public RingingSubscription, private dds::DataReaderListener {
 public:
  FastSubscription(std::shared_ptr<Participant> participant, const tandem::MessageType & type, EndpointInfo info,
                   const TopicOptions & options);
  ~FastSubscription() override;

  Sample take() override;
  bool take_into(void * message, MessageInfo & info) override;
  bool has_data() const override { return reader_->get_unread_count() != 0; }
  std::size_t publisher_count() const override { return count_.load(std::memory_order_acquire); }
  std::uint64_t lost() const override;
  std::uint64_t copied() const override { return copied_.load(std::memory_order_relaxed); }
  Gid gid() const override { return gid_; }

 private:
  void on_data_available(dds::DataReader * reader) override;
  void on_subscription_matched(dds::DataReader *, const dds::SubscriptionMatchedStatus & status) override;

  bool is_welcome(const Gid & writer) const;
  bool is_outcast(const Gid & writer) const;
  bool take_next(Incoming & incoming, MessageInfo & info);
  void count(const Gid & writer, std::uint64_t number, bool is_taken);
  void complain(const std::string & error);

  const std::shared_ptr<Participant> participant_;
  const tandem::MessageType & type_;
  const std::string topic_name_;
  const std::string hash_;
  const bool is_deaf_to_own_;
  const std::uint64_t depth_;  ///< 0: keeps all
  TopicUse topic_;
  dds::Subscriber * subscriber_ = nullptr;  ///< of its own, so that the reader alone can part from its writers
  dds::DataReader * reader_ = nullptr;
  Gid gid_{};
  std::unique_ptr<HeldSamples> held_;

  mutable std::mutex mutex_;  ///< guards the next four
  std::set<Gid> matched_;
  std::map<Gid, Record> records_;
  std::uint64_t lost_of_forgotten_ = 0;
  bool has_complained_ = false;
  std::atomic<std::size_t> count_{0};
  std::atomic<std::uint64_t> copied_{0};
};

std::uint64_t number_of(const dds::SampleInfo & info) { return info.sample_identity.sequence_number().to64long(); }
Gid writer_of(const dds::SampleInfo & info) { return to_gid(info.sample_identity.writer_guid()); }

FastSubscription::FastSubscription(std::shared_ptr<Participant> participant, const tandem::MessageType & type,
                                   EndpointInfo info, const TopicOptions & options)
    : participant_(std::move(participant)),
      type_(type),
      topic_name_(options.topic),
      hash_(info.type_hash),
      is_deaf_to_own_(options.ignore_local_publications),
      depth_(options.qos.history == History::kKeepLast ? options.qos.depth : 0),
      topic_(participant_, type, options.topic) {
  const dds::DataReaderQos qos = reader_qos(*participant_->subscriber(), type, options);
  std::unique_lock lock(participant_->endpoints_mutex());
  subscriber_ = participant_->create_subscriber();
  reader_ = subscriber_->create_datareader(
      topic_.get(), qos, this, dds::StatusMask::data_available() << dds::StatusMask::subscription_matched());
  if (reader_ != nullptr) {
    gid_ = to_gid(reader_->guid());
    if (is_deaf_to_own_) {
      participant_->set_deaf(gid_);
    }
    if (participant_->board() && rmw_fastrtps::is_plain(type)) {
      held_ = std::make_unique<HeldSamples>(participant_->board(), gid_, options.held_quota);
    }
  }
  if (reader_ == nullptr || reader_->enable() != ReturnCode_t::RETCODE_OK) {
    if (reader_ != nullptr) {
      subscriber_->delete_datareader(reader_);
    }
    participant_->delete_subscriber(subscriber_);
    throw Error(std::string(kName) + ": topic '" + topic_name_ + "': Fast DDS cannot make a reader");
  }
  lock.unlock();
  info.gid = gid_;
  participant_->graph().add(info, is_deaf_to_own_);
}

FastSubscription::~FastSubscription() {
  participant_->graph().remove(gid_);
  const std::lock_guard lock(participant_->endpoints_mutex());
  if (reader_->get_qos().data_sharing().kind() != dds::OFF) {
    // Parts from all writers first: Fast DDS waits for ever if a data-sharing writer writes while the reader is deleted.
    dds::SubscriberQos nowhere = subscriber_->get_qos();
    nowhere.partition().push_back("nowhere");
    subscriber_->set_qos(nowhere);
  }
  subscriber_->delete_datareader(reader_);
  participant_->delete_subscriber(subscriber_);
  participant_->forget(gid_);
}

Sample FastSubscription::take() {
  Kept kept(type_, held_.get());
  Sample sample;
  if (!take_next(kept, sample.info)) {
    complain(kept.error);
    return sample;
  }
  sample.size = type_.size;
  if (kept.in_place.message != nullptr) {
    sample.message = kept.in_place.message;
    sample.keeper = std::shared_ptr<const void>(std::move(kept.in_place.held), sample.message);
  } else {
    sample.message = kept.own->get();
    sample.keeper = std::shared_ptr<const void>(std::move(kept.own), sample.message);
    copied_.fetch_add(1, std::memory_order_relaxed);
  }
  complain(kept.error);
  return sample;
}

bool FastSubscription::take_into(void * message, MessageInfo & info) {
  Copied copied(type_, message);
  const bool is_taken = take_next(copied, info);
  if (is_taken) {
    copied_.fetch_add(1, std::memory_order_relaxed);
  }
  complain(copied.error);
  return is_taken;
}

bool FastSubscription::take_next(Incoming & incoming, MessageInfo & info) {
  dds::SampleInfo sample;
  while (reader_->take_next_sample(&incoming, &sample) == ReturnCode_t::RETCODE_OK) {
    const Gid writer = writer_of(sample);
    if (!sample.valid_data || is_outcast(writer)) {
      continue;
    }
    count(writer, number_of(sample), true);
    info.source_timestamp = sample.source_timestamp.to_ns();
    info.received_timestamp = sample.reception_timestamp.to_ns();
    info.sequence = number_of(sample) - 1;
    info.publisher = writer;
    info.from_intra_process = is_same_process(writer, gid_);
    return true;
  }
  return false;
}

void FastSubscription::count(const Gid & writer, std::uint64_t number, bool is_taken) {
  const std::lock_guard lock(mutex_);
  Record & record = records_.try_emplace(writer, Record{number, number, 0}).first->second;
  record.next = std::max(record.next, number + 1);
  record.taken += is_taken ? 1 : 0;
}

std::uint64_t FastSubscription::lost() const {
  const std::lock_guard lock(mutex_);
  std::uint64_t lost = lost_of_forgotten_;
  for (const auto & [writer, record] : records_) {
    lost += record.lost();
  }
  return lost;
}

/// Called with the reader locked: nobody takes meanwhile. Outcasts' messages are dropped by who takes, not here: the
/// first that is untaken may wait for an earlier one of its writer, and the next to be taken is then another's.
void FastSubscription::on_data_available(dds::DataReader * reader) {
  dds::SampleInfo first;
  Discarded discarded;
  Incoming & incoming = discarded;
  while (depth_ != 0 && reader->get_unread_count() > depth_ &&
         reader->take_next_sample(&incoming, &first) == ReturnCode_t::RETCODE_OK) {
    count(writer_of(first), number_of(first), false);
  }
  ring();
}

void FastSubscription::on_subscription_matched(dds::DataReader *, const dds::SubscriptionMatchedStatus & status) {
  const Gid writer = to_gid(rtps::iHandle2GUID(status.last_publication_handle));
  std::vector<std::shared_ptr<const BoardView>> boards;
  {
    const std::lock_guard lock(mutex_);
    if (status.current_count_change < 0) {
      matched_.erase(writer);
      if (records_.size() > kMostKnown) {
        std::erase_if(records_, [this](const auto & item) {
          const bool is_gone = !matched_.count(item.first);
          lost_of_forgotten_ += is_gone ? item.second.lost() : 0;
          return is_gone;
        });
      }
    } else if (is_welcome(writer)) {
      matched_.insert(writer);
    }
    if (held_) {
      std::set<std::shared_ptr<const BoardView>> different;
      for (const Gid & one : matched_) {
        different.insert(participant_->board_of(one));
      }
      different.erase(nullptr);
      boards.assign(different.begin(), different.end());
    }
    count_.store(matched_.size(), std::memory_order_release);
  }
  if (held_) {
    held_->set_writers(std::move(boards));
  }
}

bool FastSubscription::is_welcome(const Gid & writer) const {
  return !(is_deaf_to_own_ && is_same_participant(writer, gid_)) && participant_->agrees(writer, hash_);
}

/// Of a writer that Fast DDS matches, but we do not.
bool FastSubscription::is_outcast(const Gid & writer) const {
  {
    const std::lock_guard lock(mutex_);
    if (matched_.count(writer) != 0) {
      return false;
    }
  }
  return !is_welcome(writer);
}

void FastSubscription::complain(const std::string & error) {
  if (error.empty()) {
    return;
  }
  {
    const std::lock_guard lock(mutex_);
    if (std::exchange(has_complained_, true)) {
      return;
    }
  }
  warn(kName, topic_name_, "a message was dropped: " + error + ". Further ones are dropped without a word");
}

}  // namespace

std::shared_ptr<Subscription> make_subscription(std::shared_ptr<Participant> participant,
                                                const tandem::MessageType & type, const TopicOptions & options) {
  EndpointInfo info = make_endpoint(kName, EndpointKind::kSubscription, type, options);
  return std::make_shared<FastSubscription>(std::move(participant), type, std::move(info), options);
}

}  // namespace rmw_fastrtps
