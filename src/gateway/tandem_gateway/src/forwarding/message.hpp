// A message on its way through the gateway, and the queue of those that wait.
#pragma once

#include <compare>
#include <cstdint>
#include <deque>
#include <utility>

#include "base/counts.hpp"
#include "base/direction.hpp"
#include "planning/grade.hpp"
#include "tandem/message_type.hpp"
#include "tandem/transport.hpp"

namespace tandem::gateway {

/// Grows with each message of a publisher. The time stamp is for middlewares that do not tell the sequence number.
struct MessageNumber {
  std::uint64_t sequence = 0;
  std::int64_t timestamp = 0;
  friend auto operator<=>(const MessageNumber &, const MessageNumber &) = default;
};

/// Either borrowed from a publisher of this host (`sample`), or an object of the gateway (`object`).
struct QueuedMessage {
  transport::Sample sample;
  OwnedMessage object;
  transport::MessageInfo info;
  Grade grade;                     ///< of the subscription that brought it
  std::uint64_t subscription = 0;  ///< the number of that subscription
  std::size_t size = 0;            ///< bytes of its CDR
  const void * data() const { return object ? object.get() : sample.message; }
  MessageNumber number() const { return {info.sequence, info.source_timestamp}; }
};

/// Takes the next message of a side: of this host it is borrowed, from the network it is read into `spare`, which is
/// made if it is empty. \return false when there is none. \throws std::bad_alloc
bool take(transport::Subscription & subscription, Direction direction, const MessageType & type, OwnedMessage & spare,
          QueuedMessage & message);

/// Calls `send` with what is to be published: an OwnedMessage & or a const void *. An object that was copied becomes
/// the spare. Counts the message, unless the result is kTimeout: then it has to be tried again.
template <class Send>
transport::PublishResult publish_with(const Send & send, QueuedMessage & message, OwnedMessage & spare,
                                      Counts & counts) {
  const transport::PublishResult result = message.object ? send(message.object) : send(message.sample.message);
  if (message.object && !spare && result == transport::PublishResult::kOk) {
    spare = std::move(message.object);
  }
  if (result != transport::PublishResult::kTimeout) {
    counts.add(result == transport::PublishResult::kOk, message.size);
  }
  return result;
}

/// Messages that cannot be published now.
class MessageQueue {
 public:
  void push(QueuedMessage message);
  void pop();
  QueuedMessage & front() { return messages_.front(); }
  const QueuedMessage & front() const { return messages_.front(); }
  const QueuedMessage & back() const { return messages_.back(); }
  bool empty() const { return messages_.empty(); }
  std::size_t size() const { return messages_.size(); }
  /// Drops the oldest: it keeps `depth` in any case, and more within limits of its own. \return how many were dropped.
  std::size_t trim(std::size_t depth);
  /// Drops those that another subscription than this one has brought.
  void keep(std::uint64_t subscription);
  void clear();

 private:
  std::deque<QueuedMessage> messages_;
  std::size_t bytes_ = 0;
};

}  // namespace tandem::gateway
