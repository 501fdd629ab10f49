#include "bus/bus_subscription.hpp"

#include <cstring>
#include <utility>

#include "bus/release_endpoint.hpp"
#include "tandem/cdr.hpp"
#include "tandem/kit/endpoint.hpp"

namespace tandem::transport {
namespace {

/// A chunk of its publisher's memory that a user keeps.
class HeldChunk {
 public:
  HeldChunk(std::unique_ptr<Chunk> chunk, std::shared_ptr<std::atomic<std::size_t>> count)
      : chunk_(std::move(chunk)), count_(std::move(count)) {
    count_->fetch_add(1, std::memory_order_relaxed);
  }
  ~HeldChunk() { count_->fetch_sub(1, std::memory_order_relaxed); }
  HeldChunk(const HeldChunk &) = delete;
  HeldChunk & operator=(const HeldChunk &) = delete;

 private:
  const std::unique_ptr<Chunk> chunk_;
  const std::shared_ptr<std::atomic<std::size_t>> count_;
};

}  // namespace

BusSubscription::BusSubscription(std::shared_ptr<Bus> bus, const MessageType & type, const TopicOptions & options)
    : RingingSubscription(options.qos),
      bus_(std::move(bus)),
      type_(type),
      topic_(options.topic),
      channel_(channel_of(options.topic)),
      encoding_(channel_ == Channel::kTopic ? bus_->encoding_of(type) : Encoding::kCdr),
      held_quota_(options.held_quota),
      has_deadline_(options.qos.deadline != kInfinite),
      reader_(bus_->create_reader(type_on(channel_, type),
                                  make_endpoint(bus_->name(), EndpointKind::kSubscription, type, options),
                                  options.ignore_local_publications, [this] { ring(); })) {}

BusSubscription::~BusSubscription() { release_endpoint(*bus_, reader_); }

Sample BusSubscription::do_take() {
  Sample sample;
  Arrival arrival;
  while (next(arrival)) {
    if (may_be_kept(*arrival.chunk)) {
      keep(std::move(arrival.chunk), sample);
    } else {
      auto copy = MessagePool::take(pool_, type_);
      if (!copy_out(*arrival.chunk, copy.get())) {
        continue;
      }
      sample.message = copy.get();
      sample.keeper = std::move(copy);
    }
    sample.size = type_.size;
    sample.info = info_of(arrival);
    return sample;
  }
  return sample;
}

bool BusSubscription::do_take_into(void * message, MessageInfo & info) {
  Arrival arrival;
  while (next(arrival)) {
    if (copy_out(*arrival.chunk, message)) {
      info = info_of(arrival);
      return true;
    }
  }
  return false;
}

bool BusSubscription::next(Arrival & arrival) {
  while (!bus_->is_foreign() && reader_->take(arrival)) {
    if (arrival.lifespan != kInfinite && now() - arrival.stamp > arrival.lifespan.count()) {
      continue;
    }
    if (channel_ == Channel::kTopic || accept(arrival)) {
      return true;
    }
  }
  return false;
}

/// Takes the header from the bytes. False: it is another client's reply, or there is no header.
bool BusSubscription::accept(Arrival & arrival) {
  const RequestHeader header = bus_->request_header();
  const Chunk & whole = *arrival.chunk;
  if (header != RequestHeader::kNative) {
    const auto id = read_request_header(header, whole.data, whole.size);
    if (!id) {
      count_unreadable("its " + std::to_string(whole.size) + " bytes are too few for a request's number");
      return false;
    }
    arrival.request = *id;
  }
  if (channel_ == Channel::kReply && arrival.request.client != client_in(header, gid())) {
    return false;
  }
  if (channel_ == Channel::kReply) {
    arrival.request.client = gid();
  }
  if (header != RequestHeader::kNative) {  // by a copy: others may read the same chunk
    auto body = make_heap_chunk(whole.size - size_of(header));
    copy_without_header(header, whole.data, whole.size, body->data);
    arrival.chunk = std::move(body);
  }
  return true;
}

void BusSubscription::waiter_changed(Waiter * waiter) noexcept {
  if (!bus_->is_foreign()) {
    reader_->wait_with(waiter);
  }
}

/// Whether the user may have the chunk itself, not a copy.
bool BusSubscription::may_be_kept(const Chunk & chunk) const {
  if (encoding_ != Encoding::kMemory || chunk.size != type_.size) {
    return false;
  }
  const std::size_t alignment = chunk.alignment != 0 ? chunk.alignment : type_.alignment;
  if (reinterpret_cast<std::uintptr_t>(chunk.data) % alignment != 0) {
    return false;
  }
  return chunk.hold == Chunk::Hold::kAlways ||
         (chunk.hold == Chunk::Hold::kWithinQuota && held_->load(std::memory_order_relaxed) < held_quota_);
}

void BusSubscription::keep(std::unique_ptr<Chunk> chunk, Sample & sample) {
  const void * const message = chunk->data;
  if (chunk->hold == Chunk::Hold::kAlways) {
    sample.keeper = std::shared_ptr<const Chunk>(std::move(chunk));
  } else {
    sample.keeper = std::make_shared<HeldChunk>(std::move(chunk), held_);
  }
  sample.message = message;
}

/// Copies or deserializes into `message`. False, with one line in the log, if the bytes are no message of the type.
bool BusSubscription::copy_out(const Chunk & chunk, void * message) {
  if (encoding_ == Encoding::kCdr) {
    if (const auto done = deserialize(type_, chunk.data, chunk.size, message); !done) {
      count_unreadable(done.error());
      return false;
    }
  } else if (chunk.size == type_.size) {
    std::memcpy(message, chunk.data, chunk.size);
  } else {
    count_unreadable("it has " + std::to_string(chunk.size) + " bytes, the type " + std::to_string(type_.size));
    return false;
  }
  copied_.fetch_add(1, std::memory_order_relaxed);
  return true;
}

void BusSubscription::count_unreadable(const std::string & reason) {
  if (unreadable_.fetch_add(1, std::memory_order_relaxed) == 0) {
    warn(bus_->name(), topic_,
         "messages are dropped that are no " + std::string(type_.name) + ": " + reason +
             ". Build both sides against the same definition");
  }
}

MessageInfo BusSubscription::info_of(const Arrival & arrival) const {
  MessageInfo info;
  info.source_timestamp = arrival.stamp;
  info.received_timestamp = has_deadline_ ? now() : 0;  // the stamp may be another host's
  info.sequence = arrival.sequence;
  info.publisher = arrival.writer;
  info.request = arrival.request;
  info.from_intra_process = bus_->is_own(arrival.writer);
  return info;
}

}  // namespace tandem::transport
