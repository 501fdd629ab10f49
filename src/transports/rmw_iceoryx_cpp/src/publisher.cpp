#include "publisher.hpp"

#include <cstring>

#include "participant.hpp"
#include "tandem/cdr.hpp"

namespace iceoryx {

using tandem::transport::Loan;
using tandem::transport::RosterEntry;

class IceoryxPublisher::ChunkLoan final : public Loan {
 public:
  ChunkLoan(std::shared_ptr<PublisherPort> port, void * payload) : port_(std::move(port)), payload_(payload) {}
  ~ChunkLoan() override {
    if (payload_ != nullptr) {
      port_->release(payload_);
    }
  }
  void * message() override { return payload_; }
  bool is_of(const PublisherPort & port) const { return port_.get() == &port; }
  void * give_away() { return std::exchange(payload_, nullptr); }

 private:
  const std::shared_ptr<PublisherPort> port_;
  void * payload_;
};

IceoryxPublisher::IceoryxPublisher(std::shared_ptr<Participant> participant, const tandem::MessageType & type,
                                   const RosterEntry & entry)
    : CopyingPublisher(type),
      participant_(std::move(participant)),
      entry_(participant_->named(entry)),
      port_(std::make_shared<PublisherPort>(participant_->runtime(), participant_->domain(), type, entry_.endpoint)) {
  entry_.address = port_->address();
  participant_->join(*this);
}

IceoryxPublisher::~IceoryxPublisher() { participant_->leave(*this); }

std::unique_ptr<Loan> IceoryxPublisher::borrow() {
  if (!can_loan()) {
    return CopyingPublisher::borrow();
  }
  bool is_message = false;
  void * payload = port_->allocate(type().size, is_message);
  if (payload == nullptr) {
    ++failed_borrows_;
    return nullptr;
  }
  if (!is_message) {
    type().construct(payload);
  }
  return std::make_unique<ChunkLoan>(port_, payload);
}

PublishResult IceoryxPublisher::publish(std::unique_ptr<Loan> loan) {
  if (!can_loan()) {
    return CopyingPublisher::publish(std::move(loan));
  }
  auto * ours = dynamic_cast<ChunkLoan *>(loan.get());
  if (ours == nullptr || !ours->is_of(*port_)) {
    return PublishResult::kInvalidLoan;
  }
  return port_->send(ours->give_away());
}

PublishResult IceoryxPublisher::send(const void * message) {
  const std::size_t size = type().is_fixed_size ? type().size : tandem::serialized_size(type(), message);
  bool is_message = false;
  void * payload = port_->allocate(size, is_message);
  if (payload == nullptr) {
    return PublishResult::kPoolExhausted;
  }
  if (type().is_fixed_size) {
    std::memcpy(payload, message, size);
  } else if (tandem::serialize(type(), message, payload, size) == 0) {
    port_->release(payload);
    return PublishResult::kNoMemory;
  }
  return port_->send(payload);
}

void IceoryxPublisher::set_matched(const std::vector<RosterEntry> & subscriptions) {
  std::set<const PublisherPort::Queue *> queues;
  for (const RosterEntry & subscription : subscriptions) {
    queues.insert(static_cast<const PublisherPort::Queue *>(participant_->runtime()->place_of(subscription.address)));
  }
  port_->set_matched(std::move(queues));
  subscription_count_ = subscriptions.size();
}

}  // namespace iceoryx
