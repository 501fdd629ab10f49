#include "publisher.hpp"

#include <algorithm>
#include <cstring>
#include <limits>

#include "tandem/cdr.hpp"
#include "tandem/transport_support/tuning.hpp"

namespace rmw_zenoh {

using std::chrono::nanoseconds;
using tandem::transport::Durability;
using tandem::transport::Error;
using tandem::transport::History;
using tandem::transport::Reliability;
using tandem::transport::Tuning;

namespace {

/// From this size on a message that is copied anyway is copied into shared memory: below, sending its bytes is quicker.
constexpr std::size_t kShareFrom = 8192;
/// Messages that a pool has room for, and its least and largest size. It is locked in RAM.
constexpr std::size_t kPoolMessages = 16;
constexpr std::size_t kLeastPool = std::size_t{1} << 20;
constexpr std::size_t kLargestPool = std::size_t{512} << 20;
/// Zenoh's watchdog takes a message that nobody holds for 100 ms for lost, even when it is still on its way: so the last
/// ones are held here.
constexpr std::size_t kLeastRecent = 6;
constexpr std::size_t kMostRecent = 256;
constexpr std::size_t kRecentBytes = std::size_t{256} << 10;
constexpr auto kFarewell = std::chrono::seconds(1);

Clock::time_point from_now(nanoseconds timeout) {
  const nanoseconds longest = std::chrono::hours(24);
  return Clock::now() + (timeout < nanoseconds(0) ? longest : std::min(timeout, longest));
}

/// What the control key's callback knows.
struct Control {
  std::shared_ptr<Readers> readers;
  std::shared_ptr<Mail> mail;
  Gid publisher;
};

void hear(void * context, const ZnMessage * message) {
  const auto & control = *static_cast<const Control *>(context);
  if (const auto note = note_of(*message)) {
    if (note->kind == Kind::kJoin) {
      control.mail->post({control.publisher, control.publisher, *note});
    } else {
      control.readers->hear(*note);
    }
  }
  zn_free(message->owner);
}

void forget(void * context) { delete static_cast<Control *>(context); }

}  // namespace

std::shared_ptr<Payload> SharedPool::allocate(std::size_t size) {
  const std::lock_guard<std::mutex> lock(mutex_);
  if (!is_usable()) {
    return nullptr;
  }
  if (raw_ == nullptr || size > designed_) {
    char reason[256] = "";
    const std::size_t wanted = std::clamp(kPoolMessages * (size + 128), kLeastPool, kLargestPool);
    ZnPool * larger = zn_pool_new(wanted, reason, sizeof reason);
    if (larger == nullptr) {
      is_usable_ = false;
      tandem::transport::warn(kName, topic_,
                              "no shared memory of " + std::to_string(wanted >> 20) +
                                  " MiB can be had, messages are copied: " + reason +
                                  ". Zenoh locks it in RAM: raise `ulimit -l`, or make room in /dev/shm");
      return nullptr;
    }
    zn_pool_free(raw_);
    raw_ = larger;
    designed_ = std::max(size, kLeastPool / kPoolMessages - 128);
  }
  ZnPayload raw{};
  return zn_allocate(raw_, size, &raw) ? std::make_shared<Payload>(raw, size) : nullptr;
}

class ZenohPublication::PoolLoan final : public Loan {
 public:
  PoolLoan(std::shared_ptr<SharedPool> from, std::shared_ptr<Payload> lent)
      : pool(std::move(from)), payload(std::move(lent)) {}
  ~PoolLoan() override { --pool->loans; }
  void * message() override { return payload->memory(); }

  const std::shared_ptr<SharedPool> pool;
  const std::shared_ptr<Payload> payload;
};

ZenohPublication::ZenohPublication(std::shared_ptr<Hub> hub, const tandem::MessageType & type, RosterEntry entry)
    : CopyingPublisher(type),
      Endpoint(std::move(entry)),
      hub_(std::move(hub)),
      is_tuned_(tandem::transport::tuning() == Tuning::kTuned),
      capacity_(capacity_of(type)),
      pool_(std::make_shared<SharedPool>(Endpoint::entry().endpoint.topic)) {
  const auto & info = Endpoint::entry().endpoint;
  const std::string key = hub_->key_of(info.topic, info.gid);
  const bool blocks = info.qos.reliability == Reliability::kReliable;
  char reason[256] = "";
  publisher_ = zn_publisher_new(hub_->session(), key.c_str(), blocks, is_tuned_, reason, sizeof reason);
  if (publisher_ != nullptr) {
    control_ = zn_subscriber_new(hub_->session(), control_key_of(key).c_str(),
                                 {hear, forget, new Control{readers_, hub_->mail(), info.gid}}, reason, sizeof reason);
  }
  if (control_ == nullptr) {
    zn_publisher_free(publisher_);
    throw Error(std::string(kName) + ": no publisher can be made for topic '" + info.topic + "': " + reason);
  }
  if (can_loan() && type.size >= kShareFrom) {
    pool_->allocate(type.size);  // locking it in RAM takes its time: now rather than at the first message
  }
  hub_->add(*this);
}

/// What is on its way is still delivered.
ZenohPublication::~ZenohPublication() {
  if (readers_->count() > 0) {
    wait_for_all_acked(kFarewell);
  }
  hub_->remove(*this);
  zn_subscriber_free(control_);
  zn_publisher_free(publisher_);
}

// --- publishing ------------------------------------------------------------------------------------------------------

std::unique_ptr<Loan> ZenohPublication::borrow() {
  if (!can_loan()) {
    return CopyingPublisher::borrow();
  }
  if (++pool_->loans > kMaxLoans) {
    --pool_->loans;
    failed_loans_.fetch_add(1, std::memory_order_relaxed);
    return nullptr;
  }
  auto payload = pool_->allocate(type().size);
  if (!payload) {  // readers hold it all
    --pool_->loans;
    return CopyingPublisher::borrow();
  }
  type().construct(payload->memory());
  return std::make_unique<PoolLoan>(pool_, std::move(payload));
}

std::uint64_t ZenohPublication::failed_borrows() const {
  return failed_loans_.load(std::memory_order_relaxed) + CopyingPublisher::failed_borrows();
}

PublishResult ZenohPublication::publish(std::unique_ptr<Loan> loan) {
  const auto * ours = dynamic_cast<const PoolLoan *>(loan.get());
  if (ours == nullptr) {
    return CopyingPublisher::publish(std::move(loan));
  }
  return ours->pool == pool_ ? deliver(ours->payload) : PublishResult::kInvalidLoan;
}

/// In shared memory if it is worth it and there is room.
std::shared_ptr<Payload> ZenohPublication::allocate(std::size_t size) {
  std::shared_ptr<Payload> payload = is_tuned_ && size >= kShareFrom ? pool_->allocate(size) : nullptr;
  ZnPayload raw{};
  if (!payload && zn_allocate(nullptr, size, &raw)) {
    payload = std::make_shared<Payload>(raw, size);
  }
  return payload;
}

PublishResult ZenohPublication::send(const void * message) {
  const std::size_t size = type().is_fixed_size ? type().size : tandem::serialized_size(type(), message);
  auto payload = allocate(size);
  if (!payload) {
    return PublishResult::kNoMemory;
  }
  if (type().is_fixed_size) {
    std::memcpy(payload->memory(), message, size);
  } else if (tandem::serialize(type(), message, payload->memory(), size) == 0) {
    return PublishResult::kNoMemory;
  }
  return deliver(std::move(payload));
}

bool ZenohPublication::put(const Note & note, const Payload * payload) const {
  return zn_put(publisher_, payload == nullptr ? nullptr : payload->owner(), note.bytes(), sizeof note);
}

PublishResult ZenohPublication::deliver(std::shared_ptr<Payload> payload) {
  std::unique_lock<std::mutex> lock(mutex_);
  if (!readers_->have_room(next_, capacity_)) {
    const auto end = from_now(std::max(entry().endpoint.qos.max_blocking_time, nanoseconds(0)));
    do {
      const std::uint64_t next = next_;
      lock.unlock();  // the hub's thread needs it
      if (!readers_->wait_for_room(next, capacity_, end)) {
        return PublishResult::kTimeout;
      }
      lock.lock();
    } while (!readers_->have_room(next_, capacity_));
  }
  Note note;
  note.sequence = next_;
  note.timestamp = tandem::transport::now();
  if (!put(note, payload.get())) {
    return PublishResult::kClosed;
  }
  ++next_;
  keep({note, std::move(payload)});
  return PublishResult::kOk;
}

void ZenohPublication::keep(const Kept & kept) {
  const auto & qos = entry().endpoint.qos;
  const auto keep_in = [&kept](std::deque<Kept> & list, std::size_t limit) {
    list.push_back(kept);
    while (list.size() > limit) {
      list.pop_front();
    }
  };
  if (qos.durability == Durability::kTransientLocal) {
    keep_in(history_, qos.history == History::kKeepAll ? capacity_ : qos.depth);
  } else if (is_tuned_) {
    keep_in(recent_, std::clamp(kRecentBytes / (kept.payload->size() + 1), kLeastRecent, kMostRecent));
  }
}

bool ZenohPublication::wait_for_all_acked(nanoseconds timeout) {
  const auto end = from_now(timeout);
  Note marker;
  marker.kind = Kind::kMarker;
  {
    const std::lock_guard<std::mutex> lock(mutex_);
    marker.sequence = next_;
    if (readers_->have_received(next_)) {
      return true;
    }
    put(marker, nullptr);
  }
  return readers_->wait_until_received(marker.sequence, end);
}

// --- connecting ------------------------------------------------------------------------------------------------------

Clock::time_point ZenohPublication::connect(const std::vector<RosterEntry> & matches) {
  readers_->keep_only(matches);
  return Clock::time_point::max();
}

/// A subscription joins: it gets a welcome, which shows that the key leads to it, and its history.
void ZenohPublication::handle(const Mail::Item & item) {
  const Gid & subscription = item.note.subscription;
  const auto matches = hub_->roster().matches(entry());
  const auto match = std::find_if(matches.begin(), matches.end(),
                                  [&](const RosterEntry & one) { return one.endpoint.gid == subscription; });
  if (match == matches.end()) {
    return;  // not known yet: it asks again
  }
  const auto & theirs = match->endpoint.qos;
  const std::lock_guard<std::mutex> lock(mutex_);
  const std::size_t count = std::min<std::uint64_t>(history_.size(), item.note.sequence);
  readers_->add(subscription, theirs.reliability == Reliability::kReliable,
                tandem::transport::must_wait(entry().endpoint.qos, theirs), next_);
  Note welcome;
  welcome.kind = Kind::kWelcome;
  welcome.sequence = next_ - count;
  welcome.subscription = subscription;
  put(welcome, nullptr);
  for (auto kept = history_.end() - static_cast<std::ptrdiff_t>(count); kept != history_.end(); ++kept) {
    Note note = kept->note;
    note.kind = Kind::kHistory;
    note.subscription = subscription;
    put(note, kept->payload.get());
  }
}

}  // namespace rmw_zenoh
