// Writers and readers of CDR, as the kit asks for them.
#include <atomic>
#include <deque>
#include <map>
#include <mutex>
#include <new>
#include <string>

#include "participant.hpp"
#include "qos.hpp"
#include "tandem/dds/names.hpp"
#include "tandem/kit/endpoint.hpp"

namespace rmw_cyclonedds {
namespace {

using tandem::MessageType;
using tandem::dds::endpoint_user_data;
using transport::Arrival;
using transport::EndpointInfo;
using transport::PublishResult;

Topic topic_of(const Participant & participant, const MessageType & type, const EndpointInfo & info) {
  return {participant.id(), tandem::dds::to_dds_topic(info.topic), tandem::dds::to_dds_type(type.name)};
}

EndpointInfo with_gid(EndpointInfo info, const Gid & gid) {
  info.gid = gid;
  return info;
}

// --- writer ----------------------------------------------------------------------------------------------------------

PublishResult to_result(dds_return_t code) {
  switch (code) {
    case DDS_RETCODE_OK: return PublishResult::kOk;
    case DDS_RETCODE_TIMEOUT: return PublishResult::kTimeout;
    case DDS_RETCODE_OUT_OF_RESOURCES: return PublishResult::kPoolExhausted;
    default: return PublishResult::kClosed;
  }
}

class Writer final : public transport::Writer {
 public:
  Writer(std::shared_ptr<Participant> participant, const MessageType & type, const EndpointInfo & info)
      : participant_(std::move(participant)),
        waits_(transport::must_wait(info.qos, info.qos)),
        max_blocking_time_(info.qos.max_blocking_time),
        topic_(topic_of(*participant_, type, info)),
        entity_(dds_create_writer(participant_->id(), topic_.id(),
                                  writer_qos(info.qos, endpoint_user_data(type.hash)).get(), nullptr),
                "the publisher of topic '" + info.topic + "'") {
    participant_->own_graph().add(with_gid(info, gid_));
  }
  ~Writer() override { participant_->own_graph().remove(gid_); }

  std::unique_ptr<transport::Chunk> allocate(std::size_t size) override {
    CdrDataPtr data(make_data(topic_.type(), size));
    return data ? std::make_unique<CdrChunk>(std::move(data)) : throw std::bad_alloc();
  }

  PublishResult write(std::unique_ptr<transport::Chunk> chunk) override {
    if (waits_ && !participant_->flow().wait(entity_.id(), max_blocking_time_)) {
      return PublishResult::kTimeout;
    }
    CdrDataPtr & data = static_cast<CdrChunk &>(*chunk).message;
    const std::lock_guard lock(writing_);  // the number and the order on the wire agree
    data->sequence = sequence_;
    const PublishResult result = to_result(dds_writecdr(entity_.id(), data.release()));
    sequence_ += result == PublishResult::kOk ? 1 : 0;
    return result;
  }

  std::size_t matched() const override {
    dds_publication_matched_status_t status{};
    dds_get_publication_matched_status(entity_.id(), &status);
    return status.current_count;
  }
  bool wait_for_all_acked(std::chrono::nanoseconds timeout) override {
    return dds_wait_for_acks(entity_.id(), timeout.count() < 0 ? DDS_INFINITY : timeout.count()) == DDS_RETCODE_OK;
  }
  Gid gid() const override { return gid_; }

 private:
  const std::shared_ptr<Participant> participant_;
  const bool waits_;  ///< for its slowest subscription: it is reliable and keeps all
  const std::chrono::nanoseconds max_blocking_time_;
  std::mutex writing_;
  std::uint64_t sequence_ = 0;  ///< guarded by writing_
  const Topic topic_;
  const Entity entity_;
  const Gid gid_ = entity_.gid();
};

// --- reader ----------------------------------------------------------------------------------------------------------

/// Keeps what has been received and not yet taken.
class Reader final : public transport::Reader, private Sink {
 public:
  Reader(std::shared_ptr<Participant> participant, const MessageType & type, const EndpointInfo & info,
         bool ignore_local, std::function<void()> on_data)
      : participant_(std::move(participant)),
        on_data_(std::move(on_data)),
        qos_(info.qos),
        topic_(topic_of(*participant_, type, info)),
        entity_(dds_create_reader_rhc(participant_->id(), topic_.id(),
                                      reader_qos(info.qos, endpoint_user_data(type.hash), ignore_local).get(), nullptr,
                                      this),
                "the subscription of topic '" + info.topic + "'") {
    participant_->own_graph().add(with_gid(info, gid_), ignore_local);
    const std::lock_guard telling(telling_);
    may_tell_ = transport::must_wait(qos_, qos_);
  }
  ~Reader() override {
    participant_->own_graph().remove(gid_);
    const std::lock_guard telling(telling_);
    may_tell_ = false;
    participant_->flow().lost(gid_);
  }

  bool take(Arrival & arrival) override;
  bool has_data() const override { return size_.load(std::memory_order_acquire) != 0; }
  std::size_t matched() const override {
    dds_subscription_matched_status_t status{};
    dds_get_subscription_matched_status(entity_.id(), &status);
    return status.current_count;
  }
  std::uint64_t lost() const override { return lost_.load(std::memory_order_relaxed); }
  Gid gid() const override { return gid_; }

 private:
  struct Item {
    Gid publisher{};
    CdrDataPtr data;
  };

  void receive(const Gid & publisher, CdrDataPtr data) noexcept override;
  void forget(const Gid & publisher) noexcept override;
  void note_gap_locked(const Gid & publisher, std::uint64_t sequence);
  Item take_first_locked();
  bool wants_pause_locked() const;
  void regulate();

  const std::shared_ptr<Participant> participant_;
  const std::function<void()> on_data_;
  const transport::Qos qos_;
  std::atomic<std::size_t> size_{0};
  std::atomic<std::uint64_t> lost_{0};  ///< overwritten, or never come
  std::mutex mutex_;
  std::deque<Item> items_;             ///< guarded by mutex_
  std::size_t bytes_ = 0;              ///< guarded by mutex_: of the items
  std::map<Gid, std::uint64_t> next_;  ///< guarded by mutex_: what each publisher sends next
  std::mutex telling_;                 ///< taken before mutex_
  bool may_tell_ = false;              ///< guarded by telling_: publishers wait for it, and its gid is known
  bool is_paused_ = false;             ///< written with both
  const Topic topic_;
  const Entity entity_;  ///< the last that may end: it calls receive()
  const Gid gid_ = entity_.gid();
};

void Reader::receive(const Gid & publisher, CdrDataPtr data) noexcept {
  Item overwritten;  // freed without the lock
  bool is_due = false;
  try {
    const std::lock_guard lock(mutex_);
    note_gap_locked(publisher, data->sequence);
    items_.push_back({publisher, std::move(data)});
    bytes_ += items_.back().data->size;
    if (qos_.history == transport::History::kKeepLast && items_.size() > qos_.depth) {
      overwritten = take_first_locked();
      lost_.fetch_add(1, std::memory_order_relaxed);
    }
    size_.store(items_.size(), std::memory_order_release);
    is_due = wants_pause_locked() != is_paused_;
  } catch (const std::bad_alloc &) {
    lost_.fetch_add(1, std::memory_order_relaxed);
    return;
  }
  if (is_due) {
    regulate();
  }
  on_data_();
}

bool Reader::take(Arrival & arrival) {
  Item item;
  bool is_due = false;
  {
    const std::lock_guard lock(mutex_);
    if (items_.empty()) {
      return false;
    }
    item = take_first_locked();
    is_due = wants_pause_locked() != is_paused_;
  }
  if (is_due) {
    regulate();
  }
  arrival.stamp = item.data->timestamp.v;
  arrival.sequence = item.data->sequence;
  arrival.writer = item.publisher;
  arrival.chunk = std::make_unique<CdrChunk>(std::move(item.data));
  return true;
}

void Reader::forget(const Gid & publisher) noexcept {
  const std::lock_guard lock(mutex_);
  next_.erase(publisher);
}

/// The first message of a publisher tells where it begins for us; what is missing after it, the network has lost or the
/// publisher has overwritten.
void Reader::note_gap_locked(const Gid & publisher, std::uint64_t sequence) {
  const auto [known, is_new] = next_.try_emplace(publisher, sequence + 1);
  if (!is_new && sequence >= known->second) {
    lost_.fetch_add(sequence - known->second, std::memory_order_relaxed);
    known->second = sequence + 1;
  }
}

Reader::Item Reader::take_first_locked() {
  Item item = std::move(items_.front());
  items_.pop_front();
  bytes_ -= item.data->size;
  size_.store(items_.size(), std::memory_order_release);
  return item;
}

/// Once it pauses, until half of it is taken.
bool Reader::wants_pause_locked() const {
  const std::size_t part = is_paused_ ? 2 : 1;
  return transport::must_wait(qos_, qos_) &&
         (items_.size() >= Flow::kMostMessages / part || bytes_ >= Flow::kMostBytes / part);
}

/// Tells the publishers, one change after the other.
void Reader::regulate() {
  const std::lock_guard telling(telling_);
  bool wants_pause = false;
  {
    const std::lock_guard lock(mutex_);
    wants_pause = wants_pause_locked();
  }
  if (may_tell_ && wants_pause != is_paused_ && participant_->flow().tell(gid_, wants_pause)) {
    const std::lock_guard lock(mutex_);
    is_paused_ = wants_pause;
  }
}

}  // namespace

std::shared_ptr<transport::Writer> Participant::create_writer(const MessageType & type, const EndpointInfo & info) {
  return std::make_shared<Writer>(shared_from_this(), type, info);
}

std::shared_ptr<transport::Reader> Participant::create_reader(const MessageType & type, const EndpointInfo & info,
                                                              bool ignore_local, std::function<void()> on_data) {
  return std::make_shared<Reader>(shared_from_this(), type, info, ignore_local, std::move(on_data));
}

}  // namespace rmw_cyclonedds
