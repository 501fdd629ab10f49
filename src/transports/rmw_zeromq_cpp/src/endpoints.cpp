#include "endpoints.hpp"

#include <cstring>
#include <typeinfo>

#include "tandem/cdr.hpp"
#include "tandem/transport_support/own_message.hpp"

namespace rmw_zeromq {

using tandem::transport::EndpointKind;
using tandem::transport::Loan;
using tandem::transport::MessageInfo;
using tandem::transport::OwnMessage;
using tandem::transport::Sample;
using tandem::transport::TopicOptions;

namespace {

/// Received messages of fixed size that are larger are handed out where they lie. Small ones lie in a buffer of
/// libzmq's with others, which they would keep.
constexpr std::size_t kInPlace = 8192;

RosterEntry entry_of(EndpointKind kind, const tandem::MessageType & type, const TopicOptions & options) {
  return {tandem::transport::make_endpoint(kName, kind, type, options), {}, options.ignore_local_publications};
}

}  // namespace

// --- publisher -------------------------------------------------------------------------------------------------------

class ZmqPublisher::FrameLoan final : public Loan {
 public:
  FrameLoan(std::shared_ptr<FramePool> from, Frame * frame) : pool(std::move(from)), frame_(frame) {}
  ~FrameLoan() override {
    if (frame_ != nullptr) {
      FramePool::give_back(frame_);
    }
    pool->lent.fetch_sub(1, std::memory_order_relaxed);
  }
  void * message() override { return frame_->payload(); }
  Frame * release() { return std::exchange(frame_, nullptr); }

  const std::shared_ptr<FramePool> pool;

 private:
  Frame * frame_;
};

ZmqPublisher::ZmqPublisher(std::shared_ptr<Hub> hub, const tandem::MessageType & type, const TopicOptions & options)
    : CopyingPublisher(type),
      hub_(std::move(hub)),
      body_(std::make_shared<PublisherBody>(*hub_, type, entry_of(EndpointKind::kPublisher, type, options))) {
  number_ = hub_->add(body_);
  body_->open(number_);
  hub_->announce(body_, number_);
}

ZmqPublisher::~ZmqPublisher() {
  if (hub_->is_foreign()) {
    new std::shared_ptr<PublisherBody>(std::move(body_));  // never ended: the socket is the parent's
    return;
  }
  const bool is_done = body_->close();
  hub_->remove(body_, number_);
  if (!is_done) {
    hub_->keep(std::move(body_));
  }
}

std::unique_ptr<Loan> ZmqPublisher::borrow() {
  if (!type().is_fixed_size || hub_->settings().is_vendor || hub_->is_foreign()) {
    return CopyingPublisher::borrow();
  }
  const std::shared_ptr<FramePool> & pool = body_->frames();
  if (pool->lent.fetch_add(1, std::memory_order_relaxed) < kMaxLoans) {
    try {
      return std::make_unique<FrameLoan>(pool, pool->take(type().size));
    } catch (const std::bad_alloc &) {
    }
  }
  pool->lent.fetch_sub(1, std::memory_order_relaxed);
  failed_borrows_.fetch_add(1, std::memory_order_relaxed);
  return nullptr;
}

PublishResult ZmqPublisher::publish(std::unique_ptr<Loan> loan) {
  if (!loan || typeid(*loan) != typeid(FrameLoan)) {
    return CopyingPublisher::publish(std::move(loan));
  }
  auto & ours = static_cast<FrameLoan &>(*loan);
  if (ours.pool != body_->frames()) {
    return PublishResult::kInvalidLoan;
  }
  if (hub_->is_foreign()) {
    return PublishResult::kClosed;
  }
  const std::int64_t stamp = tandem::transport::now();
  try {
    return body_->publish(FramePool::to_message(ours.release(), type().size), Encoding::kMemory, stamp);
  } catch (const std::bad_alloc &) {
    return PublishResult::kNoMemory;
  }
}

PublishResult ZmqPublisher::send(const void * message) {
  if (hub_->is_foreign()) {
    return PublishResult::kClosed;
  }
  const std::int64_t stamp = tandem::transport::now();
  const std::size_t size = type().is_fixed_size ? type().size : tandem::serialized_size(type(), message);
  zmq::message_t frame = body_->frames()->make(size);
  std::byte * const payload = static_cast<std::byte *>(frame.data()) + sizeof(Header);
  if (type().is_fixed_size) {
    std::memcpy(payload, message, size);
    return body_->publish(std::move(frame), Encoding::kMemory, stamp);
  }
  if (tandem::serialize(type(), message, payload, size) == 0) {
    return PublishResult::kNoMemory;
  }
  return body_->publish(std::move(frame), Encoding::kCdr, stamp);
}

bool ZmqPublisher::wait_for_all_acked(std::chrono::nanoseconds timeout) {
  return hub_->is_foreign() || body_->wait_until_acked(timeout);
}

// --- subscription ----------------------------------------------------------------------------------------------------

ZmqSubscription::ZmqSubscription(std::shared_ptr<Hub> hub, const tandem::MessageType & type,
                                 const TopicOptions & options)
    : hub_(std::move(hub)),
      type_(type),
      body_(std::make_shared<SubscriptionBody>(*hub_, type, entry_of(EndpointKind::kSubscription, type, options))) {
  number_ = hub_->add(body_);
  body_->open(number_);
  hub_->announce(body_, number_);
}

ZmqSubscription::~ZmqSubscription() {
  if (hub_->is_foreign()) {
    new std::shared_ptr<SubscriptionBody>(std::move(body_));  // never ended: the sockets are the parent's
    return;
  }
  body_->close();
  hub_->remove(body_, number_);
}

std::optional<ZmqSubscription::Arrived> ZmqSubscription::next() {
  return hub_->is_foreign() ? std::nullopt : body_->take();
}

bool ZmqSubscription::decode(const Arrived & arrived, void * message) {
  std::string reason;
  if (arrived.header.encoding == Encoding::kMemory) {
    if (type_.is_fixed_size && payload_size(arrived.frame) == type_.size) {
      std::memcpy(message, payload_of(arrived.frame), type_.size);
      copied_.fetch_add(1, std::memory_order_relaxed);
      return true;
    }
    reason = "it has " + std::to_string(payload_size(arrived.frame)) + " bytes, the type " + std::to_string(type_.size);
  } else if (const auto read =
                 tandem::deserialize(type_, payload_of(arrived.frame), payload_size(arrived.frame), message);
             !read) {
    reason = read.error();
  } else {
    copied_.fetch_add(1, std::memory_order_relaxed);
    return true;
  }
  body_->warn_once(std::string("a message that is no ") + type_.name + " is dropped: " + reason);
  body_->count_lost();
  return false;
}

bool ZmqSubscription::lies_well(const Arrived & arrived) const {
  return arrived.header.encoding == Encoding::kMemory && type_.is_fixed_size && type_.size > kInPlace &&
         payload_size(arrived.frame) == type_.size &&
         reinterpret_cast<std::uintptr_t>(payload_of(arrived.frame)) % type_.alignment == 0;
}

MessageInfo ZmqSubscription::info_of(const Arrived & arrived) const {
  MessageInfo info;
  info.source_timestamp = arrived.header.stamp;
  info.sequence = arrived.header.sequence;
  info.publisher = arrived.header.publisher;
  info.from_intra_process = tandem::transport::same_participant(info.publisher, body_->entry().endpoint.gid);
  return info;
}

Sample ZmqSubscription::take() {
  Sample sample;
  while (auto arrived = next()) {
    sample.info = info_of(*arrived);
    if (lies_well(*arrived)) {
      auto held = std::make_shared<Arrived>(std::move(*arrived));
      sample.message = payload_of(held->frame);
      sample.keeper = std::shared_ptr<const void>(std::move(held), sample.message);
    } else {
      auto own = std::make_shared<OwnMessage>(type_);
      if (!decode(*arrived, own->get())) {
        continue;
      }
      sample.message = own->get();
      sample.keeper = std::shared_ptr<const void>(std::move(own), sample.message);
    }
    sample.size = type_.size;
    return sample;
  }
  return {};
}

bool ZmqSubscription::take_into(void * message, MessageInfo & info) {
  while (const auto arrived = next()) {
    if (decode(*arrived, message)) {
      info = info_of(*arrived);
      return true;
    }
  }
  return false;
}

}  // namespace rmw_zeromq
