#include "subscription.hpp"

#include <algorithm>
#include <cstring>
#include <new>

#include "iceoryx_posh/internal/popo/ports/publisher_port_data.hpp"
#include "participant.hpp"
#include "ports.hpp"
#include "roudi.hpp"
#include "tandem/cdr.hpp"
#include "tandem/kit/own_message.hpp"

namespace iceoryx {

using tandem::transport::Durability;
using tandem::transport::Gid;
using tandem::transport::History;
using tandem::transport::MessageInfo;
using tandem::transport::RosterEntry;
using tandem::transport::Sample;

namespace {

constexpr std::size_t kQueue = iox::MAX_SUBSCRIBER_QUEUE_CAPACITY;
/// iceoryx lets a subscriber hold 256 chunks; one is always on its way.
constexpr std::size_t kMaxHeld = 200;
constexpr std::size_t kManyGone = 64;  // publishers that are remembered although they have gone

struct HeldChunk {
  HeldChunk(std::shared_ptr<SubscriberPort> of, const iox::mepoo::ChunkHeader * held)
      : port(std::move(of)), chunk(held) {}
  ~HeldChunk() { port->give_back(chunk); }
  HeldChunk(const HeldChunk &) = delete;
  HeldChunk & operator=(const HeldChunk &) = delete;
  const std::shared_ptr<SubscriberPort> port;
  const iox::mepoo::ChunkHeader * const chunk;
};

/// Ordinary memory that is aligned as the type wants it, behind a header.
class Copy {
 public:
  Copy(const MessageHeader & of, const void * payload, std::size_t alignment)
      : header(of),
        alignment_(std::max<std::size_t>(alignment, 8)),
        memory_(::operator new(of.size, std::align_val_t(alignment_))) {
    std::memcpy(memory_, payload, of.size);
  }
  ~Copy() { ::operator delete(memory_, std::align_val_t(alignment_)); }
  Copy(const Copy &) = delete;
  Copy & operator=(const Copy &) = delete;
  const void * payload() const { return memory_; }

  const MessageHeader header;

 private:
  const std::size_t alignment_;
  void * const memory_;
};

}  // namespace

IceoryxSubscription::IceoryxSubscription(std::shared_ptr<Participant> participant, const tandem::MessageType & type,
                                         const RosterEntry & entry, std::uint32_t held_quota)
    : participant_(std::move(participant)),
      type_(type),
      entry_(participant_->named(entry)),
      held_quota_(std::min<std::size_t>(held_quota, kMaxHeld)),
      keeps_all_(entry.endpoint.qos.history == History::kKeepAll),
      since_(monotonic_now()),
      port_(std::make_shared<SubscriberPort>(participant_->runtime(), participant_->domain(), entry_.endpoint)) {
  entry_.address = port_->address();
  participant_->join(*this);
}

IceoryxSubscription::~IceoryxSubscription() {
  participant_->leave(*this);
  port_->close(*this);
}

Sample IceoryxSubscription::take() {
  Arrived arrived;
  {
    const std::lock_guard<std::mutex> lock(mutex_);
    if (!next_locked(arrived)) {
      return {};
    }
  }
  Sample sample;
  sample.info = info_of(*arrived.header);
  sample.size = type_.size;
  if (!type_.is_fixed_size) {
    auto message = std::make_shared<tandem::transport::OwnMessage>(type_);
    if (!read(arrived, message->get())) {
      return {};
    }
    sample.message = message->get();
    sample.keeper = std::move(message);
    return sample;
  }
  if (!arrived.is_copy && port_->held() > held_quota_) {
    arrived = copy_of(arrived);
  }
  if (arrived.is_copy) {
    copied_.fetch_add(1, std::memory_order_relaxed);
  }
  sample.message = arrived.payload;
  sample.keeper = std::move(arrived.keeper);
  return sample;
}

bool IceoryxSubscription::take_into(void * message, MessageInfo & info) {
  Arrived arrived;
  {
    const std::lock_guard<std::mutex> lock(mutex_);
    if (!next_locked(arrived)) {
      return false;
    }
  }
  info = info_of(*arrived.header);
  return read(arrived, message);
}

bool IceoryxSubscription::has_data() const {
  if (has_overflow_.load(std::memory_order_acquire) || !port_->has_data()) {
    return has_overflow_.load(std::memory_order_acquire);
  }
  if (!must_look_.load(std::memory_order_relaxed)) {
    return true;
  }
  auto & self = const_cast<IceoryxSubscription &>(*this);
  const std::lock_guard<std::mutex> lock(mutex_);
  Arrived arrived;
  if (overflow_.empty() && self.pop_locked(arrived)) {
    self.overflow_.push_back(std::move(arrived));
    self.has_overflow_ = true;
  }
  return !overflow_.empty();
}

void IceoryxSubscription::start(const std::vector<RosterEntry> & publishers) {
  {
    const std::lock_guard<std::mutex> lock(mutex_);
    for (const RosterEntry & publisher : publishers) {
      const auto * port =
          static_cast<iox::popo::PublisherPortData *>(participant_->runtime()->place_of(publisher.address));
      if (port != nullptr) {
        const std::uint64_t published = __atomic_load_n(&port->m_chunkSenderData.m_sequenceNumber, __ATOMIC_ACQUIRE);
        const std::uint64_t history = std::min(
            {history_of(publisher.endpoint.qos), history_of(entry_.endpoint.qos), static_cast<std::size_t>(published)});
        progress_.push_back({publisher.endpoint.gid, published - history});
      }
    }
  }
  port_->listen(*this);
}

void IceoryxSubscription::set_matched(const std::vector<RosterEntry> & publishers) {
  publisher_count_ = publishers.size();
  const std::lock_guard<std::mutex> lock(mutex_);
  if (progress_.size() > publishers.size() + kManyGone) {
    std::erase_if(progress_, [&](const Progress & one) {
      return std::none_of(publishers.begin(), publishers.end(),
                          [&](const RosterEntry & publisher) { return publisher.endpoint.gid == one.publisher; });
    });
  }
}

/// A reader that keeps all moves what waits long into ordinary memory, before publishers must wait.
void IceoryxSubscription::on_data() {
  if (keeps_all_ && port_->queued() > kQueue / 2) {
    const std::lock_guard<std::mutex> lock(mutex_);
    Arrived arrived;
    while (overflow_.size() < kKeepAllLimit && pop_locked(arrived)) {
      overflow_.push_back(copy_of(arrived));
      has_overflow_ = true;
    }
  }
  ring();
}

bool IceoryxSubscription::next_locked(Arrived & arrived) {
  if (!overflow_.empty()) {
    arrived = std::move(overflow_.front());
    overflow_.pop_front();
    has_overflow_ = !overflow_.empty();
  } else if (!pop_locked(arrived)) {
    return false;
  }
  count_lost_locked(*arrived.header);
  return true;
}

bool IceoryxSubscription::pop_locked(Arrived & arrived) {
  while (const auto * chunk = port_->pop()) {
    auto keeper = std::make_shared<const HeldChunk>(port_, chunk);
    const auto * header = static_cast<const MessageHeader *>(chunk->userHeader());
    if (chunk->userHeaderSize() != sizeof(MessageHeader) || header->magic != MessageHeader::kMagic ||
        (type_.is_fixed_size && header->size != type_.size) || !is_wanted(*header)) {
      must_look_ = true;
      continue;
    }
    arrived = {header, chunk->userPayload(), std::move(keeper), false};
    return true;
  }
  return false;
}

/// iceoryx connects whatever has the same topic and type.
bool IceoryxSubscription::is_wanted(const MessageHeader & header) const {
  const auto & qos = entry_.endpoint.qos;
  return header.reliability >= qos.reliability && header.durability >= qos.durability &&
         !(entry_.ignore_local && tandem::transport::same_participant(header.publisher, entry_.endpoint.gid));
}

void IceoryxSubscription::count_lost_locked(const MessageHeader & header) {
  const auto known = std::find_if(progress_.begin(), progress_.end(),
                                  [&](const Progress & one) { return one.publisher == header.publisher; });
  if (known == progress_.end()) {
    // A publisher that came after us owes everything from the first on.
    const std::uint64_t expected = header.publisher_since > since_ ? 0 : header.sequence;
    lost_.fetch_add(header.sequence - expected, std::memory_order_relaxed);
    progress_.push_back({header.publisher, header.sequence + 1});
    return;
  }
  if (header.sequence > known->next) {
    lost_.fetch_add(header.sequence - known->next, std::memory_order_relaxed);
  }
  known->next = std::max(known->next, header.sequence + 1);
}

IceoryxSubscription::Arrived IceoryxSubscription::copy_of(const Arrived & arrived) const {
  auto copy = std::make_shared<const Copy>(*arrived.header, arrived.payload, type_.alignment);
  return {&copy->header, copy->payload(), copy, true};
}

/// Into an object that somebody else owns.
bool IceoryxSubscription::read(const Arrived & arrived, void * message) {
  copied_.fetch_add(1, std::memory_order_relaxed);
  if (type_.is_fixed_size) {
    std::memcpy(message, arrived.payload, type_.size);
    return true;
  }
  const auto result = tandem::deserialize(type_, arrived.payload, arrived.header->size, message);
  if (!result && !said_bad_.exchange(true)) {
    tandem::transport::warn(kName, entry_.endpoint.topic, "messages are dropped: " + result.error());
  }
  return result.has_value();
}

MessageInfo IceoryxSubscription::info_of(const MessageHeader & header) const {
  MessageInfo info;
  info.source_timestamp = header.stamp;
  info.sequence = header.sequence;
  info.publisher = header.publisher;
  info.from_intra_process = header.process == participant_->runtime()->process_id();
  return info;
}

}  // namespace iceoryx
