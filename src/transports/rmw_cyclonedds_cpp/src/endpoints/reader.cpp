// Readers of CDR, as the kit asks for them.
#include <algorithm>
#include <atomic>
#include <deque>
#include <map>
#include <mutex>
#include <new>

#include "endpoints/endpoints.hpp"
#include "endpoints/events.hpp"
#include "entity/qos.hpp"
#include "tandem/dds/channels.hpp"
#include "tandem/dds/names.hpp"
#include "tandem/kit/endpoint.hpp"
#include "tandem/service.hpp"

namespace rmw_cyclonedds {
namespace {

using transport::Arrival;
using transport::Channel;
using transport::EndpointInfo;

/// Keeps what has been received and not yet taken.
class Reader final : public transport::Reader, private Sink {
 public:
  Reader(std::shared_ptr<Participant> participant, EndpointInfo info, bool ignore_local, std::function<void()> on_data)
      : participant_(std::move(participant)),
        on_data_(std::move(on_data)),
        channel_(transport::channel_of(info.topic)),
        qos_(tandem::dds::wire_qos(info)),
        must_wait_(transport::must_wait(info, info)),
        topic_(topic_of(*participant_, info)),
        entity_(dds_create_reader_rhc(participant_->id(), topic_.id(),
                                      reader_qos(qos_, user_data_of(*participant_, info), ignore_local).get(), nullptr,
                                      this),
                "the subscription of topic '" + info.topic + "'") {
    info.gid = gid_;
    participant_->own_graph().add(info, ignore_local);
    const std::lock_guard telling(telling_);
    may_tell_ = must_wait_;
    is_known_.store(true, std::memory_order_release);
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
  transport::Status status() const override;
  void set_status_listener(std::function<void()> listener) override {
    events_.listen(entity_.id(), std::move(listener));
  }

 private:
  struct Item {
    Gid publisher{};
    CdrDataPtr data;
    std::chrono::nanoseconds lifespan = transport::kInfinite;  ///< from its stamp on
  };
  using Items = std::deque<Item>;
  struct Publisher {
    std::uint64_t next = 0;  ///< number of what it sends next
    std::size_t queued = 0;  ///< of its messages
  };

  void receive(const Gid & publisher, CdrDataPtr data) noexcept override;
  void forget(const Gid & publisher) noexcept override;
  void note_gap_locked(const Gid & publisher, std::uint64_t sequence);
  bool is_for_another_client(const CdrData & data) const;
  std::chrono::nanoseconds lifespan_of(const Gid & publisher, const CdrData & data) const;
  Item drop_surplus_locked(const Gid & publisher);
  Item take_locked(Items::iterator item);
  bool wants_pause_locked() const;
  void regulate();

  const std::shared_ptr<Participant> participant_;
  const std::function<void()> on_data_;
  const Channel channel_;
  const transport::Qos qos_;
  const bool must_wait_;
  std::atomic<bool> is_known_{false};  ///< its gid, below
  std::atomic<std::size_t> size_{0};
  std::atomic<std::uint64_t> lost_{0};  ///< overwritten, or never come
  std::mutex mutex_;
  Items items_;                          ///< guarded by mutex_
  std::size_t bytes_ = 0;                ///< guarded by mutex_: of the items
  std::map<Gid, Publisher> publishers_;  ///< guarded by mutex_
  std::mutex telling_;                   ///< taken before mutex_
  bool may_tell_ = false;                ///< guarded by telling_: publishers wait for it, and its gid is known
  bool is_paused_ = false;               ///< written with both
  const Topic topic_;
  Events events_;
  const Entity entity_;  ///< the last that may end: it calls receive()
  const Gid gid_ = entity_.gid();
};

transport::Status Reader::status() const {
  transport::Status status;
  dds_subscription_matched_status_t matched{};
  dds_get_subscription_matched_status(entity_.id(), &matched);
  status.matched = matched.current_count;
  status.total_matched = matched.total_count;
  dds_requested_incompatible_qos_status_t misfits{};
  dds_get_requested_incompatible_qos_status(entity_.id(), &misfits);
  status.incompatible_qos = misfits.total_count;
  status.last_policy = tandem::dds::policy_of(misfits.last_policy_id);
  dds_liveliness_changed_status_t liveliness{};
  dds_get_liveliness_changed_status(entity_.id(), &liveliness);
  status.alive = liveliness.alive_count;
  status.not_alive = liveliness.not_alive_count;
  return status;
}

/// What comes before its gid is known answers no request of its.
bool Reader::is_for_another_client(const CdrData & data) const {
  constexpr auto kHeader = transport::RequestHeader::kShort;
  if (channel_ != Channel::kReply) {
    return false;
  }
  const auto id = transport::read_request_header(kHeader, reinterpret_cast<const std::byte *>(data.bytes()), data.size);
  return !is_known_.load(std::memory_order_acquire) || (id && id->client != transport::client_in(kHeader, gid_));
}

/// It begins with the arrival: the stamp may be another host's.
std::chrono::nanoseconds Reader::lifespan_of(const Gid & publisher, const CdrData & data) const {
  const std::chrono::nanoseconds lifespan = participant_->own_graph().lifespan_of(publisher);
  return lifespan == transport::kInfinite ? lifespan
                                          : lifespan + std::chrono::nanoseconds(transport::now() - data.timestamp.v);
}

void Reader::receive(const Gid & publisher, CdrDataPtr data) noexcept {
  if (is_for_another_client(*data)) {
    return;
  }
  const std::chrono::nanoseconds lifespan = lifespan_of(publisher, *data);
  Item overwritten;  // freed without the lock
  bool is_due = false;
  try {
    const std::lock_guard lock(mutex_);
    note_gap_locked(publisher, data->sequence);
    items_.push_back({publisher, std::move(data), lifespan});
    bytes_ += items_.back().data->size;
    ++publishers_[publisher].queued;
    overwritten = drop_surplus_locked(publisher);
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
    item = take_locked(items_.begin());
    is_due = wants_pause_locked() != is_paused_;
  }
  if (is_due) {
    regulate();
  }
  arrival.stamp = item.data->timestamp.v;
  arrival.sequence = item.data->sequence;
  arrival.writer = item.publisher;
  arrival.lifespan = item.lifespan;
  arrival.chunk = std::make_unique<CdrChunk>(std::move(item.data));
  return true;
}

void Reader::forget(const Gid & publisher) noexcept {
  const std::lock_guard lock(mutex_);
  publishers_.erase(publisher);
}

/// The first message of a publisher tells where it begins for us; what is missing after it, the network has lost or the
/// publisher has overwritten.
void Reader::note_gap_locked(const Gid & publisher, std::uint64_t sequence) {
  const auto [known, is_new] = publishers_.try_emplace(publisher, Publisher{sequence + 1});
  std::uint64_t & next = known->second.next;
  if (!is_new && sequence >= next) {
    lost_.fetch_add(sequence - next, std::memory_order_relaxed);
    next = sequence + 1;
  }
}

/// The oldest, if there are more than are kept: of all, or where requests come, of this client.
Reader::Item Reader::drop_surplus_locked(const Gid & publisher) {
  const bool is_served = channel_ == Channel::kRequest;
  const std::size_t kept = is_served ? publishers_[publisher].queued : items_.size();
  if (qos_.history != transport::History::kKeepLast || kept <= qos_.depth) {
    return {};
  }
  lost_.fetch_add(1, std::memory_order_relaxed);
  return take_locked(std::find_if(items_.begin(), items_.end(),
                                  [&](const Item & item) { return !is_served || item.publisher == publisher; }));
}

Reader::Item Reader::take_locked(Items::iterator at) {
  Item item = std::move(*at);
  items_.erase(at);
  bytes_ -= item.data->size;
  if (const auto from = publishers_.find(item.publisher); from != publishers_.end()) {
    --from->second.queued;
  }
  size_.store(items_.size(), std::memory_order_release);
  return item;
}

/// Once it pauses, until half of it is taken.
bool Reader::wants_pause_locked() const {
  const std::size_t part = is_paused_ ? 2 : 1;
  return must_wait_ && (items_.size() >= Flow::kMostMessages / part || bytes_ >= Flow::kMostBytes / part);
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

std::shared_ptr<transport::Reader> Participant::create_reader(const tandem::MessageType & type,
                                                              const EndpointInfo & info, bool ignore_local,
                                                              std::function<void()> on_data) {
  return std::make_shared<Reader>(shared_from_this(), tandem::dds::as_told(info, type), ignore_local,
                                  std::move(on_data));
}

}  // namespace rmw_cyclonedds
