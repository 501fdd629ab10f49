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

#include "counts.hpp"
#include "grade.hpp"
#include "message.hpp"
#include "plan.hpp"

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
  std::optional<Grade> grade;        ///< only the subscription of this grade brings its messages
  std::size_t expected_readers = 0;  ///< subscriptions that it is going to match
  bool is_open = false;              ///< it publishes: its readers have matched, or the time to wait for them is over
  Clock::time_point created = Clock::now();
  Clock::time_point not_open_before{};
  std::optional<Clock::time_point> missing_since;  ///< when the plan first lacked its source

  MessageQueue queue;               ///< not published yet
  std::int64_t last_timestamp = 0;  ///< the newest source time stamp so far
  /// Until `duplicates_until`, a message whose time stamp is not newer than this is a duplicate.
  std::int64_t duplicate_timestamp = 0;
  Clock::time_point duplicates_until{};

  /// From now on the subscription of this grade brings the messages.
  void select_grade(Grade selected);
  /// A new subscription may bring history that was carried before.
  void expect_duplicates();
};

/// A subscription of the gateway. It represents all subscriptions of one grade on the other side.
struct GatewaySubscription {
  std::shared_ptr<transport::Subscription> endpoint;
  transport::Qos qos;
  transport::NodeName node;
  std::size_t expected_writers = 0;  ///< publishers that it is going to match
  Clock::time_point created = Clock::now();
  std::optional<Clock::time_point> missing_since;  ///< when the plan first lacked it
  bool is_attached = false;                        ///< to the forwarder's wait-set
  std::unique_ptr<GatewaySubscription> successor;  ///< replaces this one once it has matched
};

struct Topic {
  const MessageType * type = nullptr;
  std::map<transport::Gid, Proxy> proxies;  ///< by the gid of the source
  std::map<Grade, GatewaySubscription> subscriptions;
  Counts counts;            ///< without what the present endpoints count themselves
  Counts removed_counts;    ///< what removed endpoints had counted
  OwnedMessage spare;       ///< the next message is read into it
  bool is_stalled = false;  ///< nothing is taken: a proxy that keeps all is full, or memory is short
};

/// Counts of a topic so far, those of its endpoints included.
Counts total(const Topic & topic, Direction direction);

}  // namespace tandem::gateway
