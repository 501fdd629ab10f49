// The state of one topic in one direction: its proxies, the gateway's subscriptions, and what was counted.
//
// The forwarder's thread and the reconciler's thread share it; Forwarder::mutex() guards it.
#pragma once

#include <chrono>
#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <vector>

#include "base/counts.hpp"
#include "forwarding/message.hpp"
#include "planning/grade.hpp"
#include "planning/plan.hpp"

namespace tandem::gateway {

using Clock = std::chrono::steady_clock;

/// Endpoints that were replaced or removed. They are destroyed without the lock, because that may take long.
using Garbage = std::vector<std::shared_ptr<void>>;

/// The proxy of one publisher. It exists from the first message on, and gets its publisher once the graph shows the
/// source.
struct Proxy {
  std::shared_ptr<transport::Publisher> publisher;  ///< null: not created yet
  transport::Qos qos;
  transport::Qos source_qos;
  transport::NodeName node;
  std::shared_ptr<std::int64_t> source_timestamp;  ///< of the message that it publishes now; null: it does not tell
  std::uint64_t carrier = 0;                       ///< the subscription whose messages go on; 0: all are queued
  std::uint64_t successor = 0;                     ///< the one that will be the carrier; 0: none
  Clock::time_point succeeds_since{};
  std::size_t expected_readers = 0;  ///< subscriptions that it is going to match
  bool is_open = false;              ///< it publishes: its readers have matched, or the time to wait for them is over
  Clock::time_point created = Clock::now();
  Clock::time_point not_open_before{};
  std::optional<Clock::time_point> missing_since;  ///< when the plan first lacked its source

  MessageQueue queue;                 ///< not published yet
  MessageQueue ahead;                 ///< what the successor has brought, and the carrier has not
  std::optional<MessageNumber> last;  ///< the newest message of the carrier; what is not newer is a duplicate

  /// The first carrier.
  void begin_with(std::uint64_t subscription);
  /// Lets this one be the carrier when the overlap is over. 0: nobody.
  void prepare(std::uint64_t subscription);
  /// Makes the successor the carrier, and queues what it is ahead.
  void change_over();
  void note_carried(const MessageNumber & number);
};

/// A subscription of the gateway. It represents all subscriptions of one grade on the other side.
struct GatewaySubscription {
  std::uint64_t number = 0;  ///< none other of the topic has it
  std::shared_ptr<transport::Subscription> endpoint;
  transport::Qos qos;
  transport::NodeName node;
  std::size_t expected_writers = 0;  ///< publishers that it is going to match
  Clock::time_point created = Clock::now();
  std::optional<Clock::time_point> missing_since;  ///< when the plan first lacked it
  bool is_attached = false;                        ///< to the forwarder's wait-set
  std::unique_ptr<GatewaySubscription> successor;  ///< replaces this one once it carries everything
};

struct Topic {
  const MessageType * type = nullptr;
  std::map<transport::Gid, Proxy> proxies;  ///< by the gid of the source
  std::map<Grade, GatewaySubscription> subscriptions;
  std::uint64_t last_subscription = 0;  ///< number of the newest
  Counts counts;                        ///< without what the present endpoints count themselves
  Counts removed_counts;                ///< what removed endpoints had counted
  OwnedMessage spare;                   ///< the next message is read into it
  bool is_stalled = false;              ///< nothing is taken: a proxy that keeps all is full, or memory is short
};

/// Counts of a topic so far, those of its endpoints included.
Counts total(const Topic & topic, Direction direction);

}  // namespace tandem::gateway
