#include <fastdds/dds/subscriber/DataReaderListener.hpp>

#include <algorithm>
#include <atomic>
#include <deque>
#include <map>
#include <set>
#include <utility>

#include "data_type.hpp"
#include "endpoints.hpp"
#include "settings.hpp"
#include "shared_samples.hpp"
#include "taken.hpp"
#include "tandem/dds/channels.hpp"
#include "tandem/kit/endpoint.hpp"

namespace rmw_fastrtps {
namespace {

using eprosima::fastrtps::types::ReturnCode_t;
using namespace tandem::transport;  // NOLINT: all that this file implements

/// Writers that have gone are remembered up to here: what they left in the history is still counted.
constexpr std::size_t kMostKnown = 64;

/// 0: keeps all.
std::uint64_t depth_of(const Qos & qos) { return qos.history == History::kKeepLast ? qos.depth : 0; }

class FastReader final : public Reader, private dds::DataReaderListener {
 public:
  FastReader(std::shared_ptr<Participant> participant, const tandem::MessageType & type, EndpointInfo endpoint,
             bool ignore_local, std::function<void()> on_data);
  ~FastReader() override;

  /// Looks first, for who polls: Fast DDS's own look at an empty reader makes what comes wait for its lock.
  bool take(Arrival & arrival) override {
    switch (channel_) {
      case Channel::kTopic: break;
      case Channel::kRequest: return has_data() && take_request(arrival);
      case Channel::kReply: return take_reply(arrival);
    }
    return has_data() && (is_in_place_ ? take_in_place(arrival) : take_payload(arrival));
  }
  bool has_data() const override {
    return channel_ == Channel::kReply ? reply_count_.load(std::memory_order_acquire) != 0
                                       : reader_->get_unread_count() != 0;
  }
  std::size_t matched() const override { return count_.load(std::memory_order_acquire); }
  std::uint64_t lost() const override;
  Gid gid() const override { return gid_; }
  Status status() const override;
  void set_status_listener(std::function<void()> listener) override { board_.set_listener(std::move(listener)); }

 private:
  bool take_payload(Arrival & arrival);
  bool take_in_place(Arrival & arrival);
  bool take_request(Arrival & arrival);
  bool take_reply(Arrival & arrival);
  void sort_replies(dds::DataReader & reader);
  bool is_taken(const dds::SampleInfo & sample, Arrival & arrival);
  void on_data_available(dds::DataReader * reader) override;
  void on_subscription_matched(dds::DataReader *, const dds::SubscriptionMatchedStatus & status) override;
  void on_requested_incompatible_qos(dds::DataReader *, const dds::RequestedIncompatibleQosStatus & status) override;
  void on_liveliness_changed(dds::DataReader *, const eprosima::fastrtps::LivelinessChangedStatus & status) override;
  bool is_welcome(const Gid & writer) const {
    return !(is_deaf_to_own_ && is_same_participant(writer, participant_->gid())) &&
           participant_->agrees(writer, hash_);
  }
  bool is_outcast(const Gid & writer) const;
  std::chrono::nanoseconds lifespan_of(const dds::SampleInfo & sample, const Gid & writer) const;
  void count(const dds::SampleInfo & sample, bool is_taken);
  void end_locked();

  const std::shared_ptr<Participant> participant_;
  const tandem::MessageType & type_;
  const std::string hash_;
  const bool is_in_place_;
  const bool is_deaf_to_own_;
  const Channel channel_;
  const std::uint64_t depth_;  ///< 0: keeps all
  const std::function<void()> on_data_;
  dds::Topic * topic_ = nullptr;
  dds::Subscriber * subscriber_ = nullptr;  ///< of its own, so that the reader alone can part from its writers
  dds::DataReader * reader_ = nullptr;
  Gid gid_{};
  SampleFiles files_;

  const bool has_lease_;
  tandem::StatusBoard board_;  ///< of matches
  mutable std::mutex mutex_;   ///< guards the next ones
  Status told_;                ///< by Fast DDS: incompatible QoS
  std::set<Gid> alive_;        ///< likewise, of writers with a lease
  std::set<Gid> not_alive_;    ///< likewise
  std::set<Gid> matched_;
  std::map<Gid, Record> records_;
  std::uint64_t lost_of_forgotten_ = 0;
  std::deque<Arrival> replies_;
  std::atomic<std::size_t> reply_count_{0};
  std::atomic<std::size_t> count_{0};
};

FastReader::FastReader(std::shared_ptr<Participant> participant, const tandem::MessageType & type,
                       EndpointInfo endpoint, bool ignore_local, std::function<void()> on_data)
    : participant_(std::move(participant)),
      type_(type),
      hash_(endpoint.type_hash),
      is_in_place_(shares_memory(type)),
      is_deaf_to_own_(ignore_local),
      channel_(channel_of(endpoint.topic)),
      depth_(depth_of(tandem::dds::wire_qos(endpoint))),
      on_data_(std::move(on_data)),
      has_lease_(endpoint.qos.lease != kInfinite) {
  {
    const std::lock_guard lock(participant_->endpoints_mutex());
    topic_ = participant_->use_topic(type, endpoint.topic);
    subscriber_ = participant_->create_subscriber();
    reader_ = subscriber_->create_datareader(topic_, reader_qos(*subscriber_, type, endpoint), this,
                                             dds::StatusMask::data_available()
                                                 << dds::StatusMask::subscription_matched()
                                                 << dds::StatusMask::liveliness_changed()
                                                 << dds::StatusMask::requested_incompatible_qos());
    gid_ = reader_ != nullptr ? to_gid(reader_->guid()) : gid_;
    if (is_deaf_to_own_) {
      participant_->set_hash(gid_, "");
    }
    if (reader_ == nullptr || reader_->enable() != ReturnCode_t::RETCODE_OK) {
      end_locked();
      throw Error(std::string(kName) + ": topic '" + endpoint.topic + "': Fast DDS cannot make a reader" +
                  participant_->advice());
    }
  }
  endpoint.gid = gid_;
  participant_->graph().add(endpoint, is_deaf_to_own_);
}

FastReader::~FastReader() {
  participant_->graph().remove(gid_);
  const std::lock_guard lock(participant_->endpoints_mutex());
  if (reader_->get_qos().data_sharing().kind() != dds::OFF) {
    // Parts from all writers first: Fast DDS waits for ever if a data-sharing writer writes while the reader is deleted.
    dds::SubscriberQos nowhere = subscriber_->get_qos();
    nowhere.partition().push_back("nowhere");
    subscriber_->set_qos(nowhere);
  }
  end_locked();
}

void FastReader::end_locked() {
  if (reader_ != nullptr) {
    subscriber_->delete_datareader(reader_);
  }
  participant_->delete_subscriber(subscriber_);
  participant_->drop_topic(topic_);
  participant_->forget(gid_);
}

bool FastReader::take_payload(Arrival & arrival) {
  auto payload = std::make_unique<LentPayload>(*reader_);
  while (payload->take()) {
    if (is_taken(payload->info(), arrival)) {
      arrival.chunk = std::move(payload);
      return true;
    }
  }
  return false;
}

bool FastReader::take_in_place(Arrival & arrival) {
  InPlace in_place(type_, files_);
  Incoming & incoming = in_place;
  dds::SampleInfo sample;
  while (reader_->take_next_sample(&incoming, &sample) == ReturnCode_t::RETCODE_OK) {
    if (is_taken(sample, arrival)) {
      arrival.chunk = std::move(in_place.chunk);
      return true;
    }
  }
  return false;
}

/// By a copy: Fast DDS lends what is in the history in a form that depends on how topics of this type are set.
bool FastReader::take_request(Arrival & arrival) {
  Copied copied;
  Incoming & incoming = copied;
  dds::SampleInfo sample;
  while (reader_->take_next_sample(&incoming, &sample) == ReturnCode_t::RETCODE_OK) {
    if (copied.chunk && is_taken(sample, arrival)) {
      arrival.chunk = std::move(copied.chunk);
      return true;
    }
  }
  return false;
}

/// Those of other clients are dropped at once, so that the history has room for what is ours.
void FastReader::sort_replies(dds::DataReader & reader) {
  Copied copied;
  Incoming & incoming = copied;
  dds::SampleInfo sample;
  bool has_news = false;
  while (reader.take_next_sample(&incoming, &sample) == ReturnCode_t::RETCODE_OK) {
    Arrival reply;
    if (copied.chunk && is_taken(sample, reply) && reply.request.client == gid_) {
      reply.chunk = std::move(copied.chunk);
      has_news = true;
      const std::lock_guard lock(mutex_);
      replies_.push_back(std::move(reply));
      if (replies_.size() > depth_) {
        replies_.pop_front();
      }
      reply_count_.store(replies_.size(), std::memory_order_release);
    }
  }
  if (has_news) {
    on_data_();
  }
}

bool FastReader::take_reply(Arrival & arrival) {
  const std::lock_guard lock(mutex_);
  if (replies_.empty()) {
    return false;
  }
  arrival = std::move(replies_.front());
  replies_.pop_front();
  reply_count_.store(replies_.size(), std::memory_order_release);
  return true;
}

/// Counts it, unless it is to be left out.
bool FastReader::is_taken(const dds::SampleInfo & sample, Arrival & arrival) {
  arrival.writer = writer_of(sample);
  if (!sample.valid_data || is_outcast(arrival.writer)) {
    return false;
  }
  count(sample, true);
  arrival.stamp = sample.source_timestamp.to_ns();
  arrival.sequence = number_of(sample) - 1;
  arrival.request = channel_ == Channel::kTopic ? RequestId() : request_in(sample, channel_);
  arrival.lifespan = lifespan_of(sample, arrival.writer);
  return true;
}

/// From its stamp on. It begins with the arrival: the stamp may be another host's.
std::chrono::nanoseconds FastReader::lifespan_of(const dds::SampleInfo & sample, const Gid & writer) const {
  const std::chrono::nanoseconds lifespan = participant_->graph().lifespan_of(writer);
  return lifespan == kInfinite ? lifespan
                               : lifespan + std::chrono::nanoseconds(sample.reception_timestamp.to_ns() -
                                                                     sample.source_timestamp.to_ns());
}

void FastReader::count(const dds::SampleInfo & sample, bool is_taken) {
  const std::uint64_t number = number_of(sample);
  const std::lock_guard lock(mutex_);
  Record & record = records_.try_emplace(writer_of(sample), Record{number, number, 0}).first->second;
  record.next = std::max(record.next, number + 1);
  record.taken += is_taken ? 1 : 0;
}

std::uint64_t FastReader::lost() const {
  const std::lock_guard lock(mutex_);
  std::uint64_t lost = lost_of_forgotten_;
  for (const auto & [writer, record] : records_) {
    lost += record.lost();
  }
  return lost;
}

/// Called with the reader locked: nobody takes meanwhile. Outcasts' messages are dropped by who takes, not here: the
/// first that is untaken may wait for an earlier one of its writer, and the next to be taken is then another's.
/// Requests are not dropped: those beyond the depth are dropped by the client that has sent so many.
void FastReader::on_data_available(dds::DataReader * reader) {
  if (channel_ == Channel::kReply) {
    sort_replies(*reader);
    return;
  }
  dds::SampleInfo first;
  Incoming dropped;
  while (channel_ == Channel::kTopic && depth_ != 0 && reader->get_unread_count() > depth_ &&
         reader->take_next_sample(&dropped, &first) == ReturnCode_t::RETCODE_OK) {
    count(first, false);
  }
  on_data_();
}

void FastReader::on_subscription_matched(dds::DataReader *, const dds::SubscriptionMatchedStatus & status) {
  const Gid writer = to_gid(rtps::iHandle2GUID(status.last_publication_handle));
  files_.look_again();
  std::unique_lock lock(mutex_);
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
  count_.store(matched_.size(), std::memory_order_release);
  const bool has_changed = board_.set(counterparts(matched_), {});
  lock.unlock();
  if (has_changed) {
    board_.notify();
  }
}

void FastReader::on_requested_incompatible_qos(dds::DataReader *, const dds::RequestedIncompatibleQosStatus & status) {
  {
    const std::lock_guard lock(mutex_);
    told_.incompatible_qos = status.total_count;
    told_.last_policy = tandem::dds::policy_of(status.last_policy_id);
  }
  board_.notify();
}

void FastReader::on_liveliness_changed(dds::DataReader *, const eprosima::fastrtps::LivelinessChangedStatus & status) {
  {
    const Gid writer = to_gid(rtps::iHandle2GUID(status.last_publication_handle));
    const std::lock_guard lock(mutex_);
    const auto note = [&writer](std::set<Gid> & writers, std::int32_t change) {
      if (change > 0) {
        writers.insert(writer);
      } else if (change < 0) {
        writers.erase(writer);
      }
    };
    note(alive_, status.alive_count_change);
    note(not_alive_, status.not_alive_count_change);
  }
  board_.notify();
}

/// That a participant lives Fast DDS says to others only: its own writers, unless they have to assert it, live here.
Status FastReader::status() const {
  Status status = board_.status();
  const std::lock_guard lock(mutex_);
  status.incompatible_qos = told_.incompatible_qos;
  status.last_policy = told_.last_policy;
  if (!has_lease_) {
    status.alive = status.matched;
    return status;
  }
  status.alive = alive_.size();
  status.not_alive = not_alive_.size();
  for (const Gid & writer : matched_) {
    if (is_same_participant(writer, gid_) &&
        participant_->graph().qos_of(writer).liveliness == Liveliness::kAutomatic) {
      status.alive += 1 - alive_.count(writer);
      status.not_alive -= not_alive_.count(writer);
    }
  }
  return status;
}

/// Of a writer that Fast DDS matches, but we do not.
bool FastReader::is_outcast(const Gid & writer) const {
  {
    const std::lock_guard lock(mutex_);
    if (matched_.count(writer) != 0) {
      return false;
    }
  }
  return !is_welcome(writer);
}

}  // namespace

std::shared_ptr<Reader> make_reader(std::shared_ptr<Participant> participant, const tandem::MessageType & type,
                                    EndpointInfo endpoint, bool ignore_local, std::function<void()> on_data) {
  return std::make_shared<FastReader>(std::move(participant), type, std::move(endpoint), ignore_local,
                                      std::move(on_data));
}

}  // namespace rmw_fastrtps
