#include "forwarding/message.hpp"

namespace tandem::gateway {
namespace {

/// A queue drops nothing up to the depth asked for. Beyond that it drops once it exceeds either of these.
constexpr std::size_t kMaxQueued = 1000;
constexpr std::size_t kMaxQueuedBytes = std::size_t{64} << 20;

}  // namespace

bool take(transport::Subscription & subscription, Direction direction, const MessageType & type, OwnedMessage & spare,
          QueuedMessage & message) {
  if (direction == Direction::kOut) {
    message.sample = subscription.take();
    message.info = message.sample.info;
    return static_cast<bool>(message.sample);
  }
  if (!spare) {
    spare = make_message(type);
  }
  if (!subscription.take_into(spare.get(), message.info)) {
    return false;
  }
  message.object = std::move(spare);
  return true;
}

void MessageQueue::push(QueuedMessage message) {
  bytes_ += message.size;
  messages_.push_back(std::move(message));
}

void MessageQueue::pop() {
  bytes_ -= messages_.front().size;
  messages_.pop_front();
}

std::size_t MessageQueue::trim(std::size_t depth) {
  std::size_t dropped = 0;
  for (; size() > depth && (size() > kMaxQueued || bytes_ > kMaxQueuedBytes); ++dropped) {
    pop();
  }
  return dropped;
}

void MessageQueue::keep(std::uint64_t subscription) {
  std::erase_if(messages_, [&](const QueuedMessage & message) {
    const bool is_other = message.subscription != subscription;
    bytes_ -= is_other ? message.size : 0;
    return is_other;
  });
}

void MessageQueue::clear() {
  messages_.clear();
  bytes_ = 0;
}

}  // namespace tandem::gateway
