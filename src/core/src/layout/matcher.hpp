// Who is to be matched with whom on one topic: a pure function from what is known to what is to be done.
//
//   subscription's process                         publisher's process
//   lane to make: record, directory entry     ─►
//                                                  lane to acknowledge: maps the region, writes an Ack
//   takes up the Ack: the lane may take       ◄─
//   lane to end: closes it                    ─►   reader to remove: withdraws the Ack
//
// Each process does its own half; nothing here locks, allocates shared memory or looks at another process.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "tandem/qos_match.hpp"
#include "tandem/types.hpp"

namespace tandem {

/// What this process knows of one topic. The infos that are pointed to belong to whoever made the snapshot.
struct TopicSnapshot {
  /// A lane of an own subscription.
  struct Lane {
    std::uint64_t number = 0;
    EndpointId publisher;
    bool acknowledged = false;
    bool closed = false;  ///< its publisher is marked broken
  };
  struct Subscription {
    const EndpointInfo * info = nullptr;
    bool ignores_own_process = false;
    std::vector<Lane> lanes;
  };
  /// An acknowledged lane of an own publisher.
  struct Reader {
    std::uint64_t incarnation = 0;
    std::uint64_t lane = 0;
    std::uint64_t subscription = 0;
    bool finished = false;  ///< it has closed and holds no message, or has died
    bool is_open = true;    ///< it takes
  };
  struct Publisher {
    const EndpointInfo * info = nullptr;
    bool closed = false;  ///< only waits for its readers
    std::vector<Reader> readers;
  };
  /// A lane in some process's directory that leads to an own publisher.
  struct OfferedLane {
    std::uint64_t number = 0;
    std::uint64_t subscription = 0;
    std::uint64_t publisher = 0;
  };
  struct OtherPublisher {
    const EndpointInfo * info = nullptr;
    bool closed = false;
  };
  /// A process's directory as last read, the own one's too.
  struct Process {
    std::uint64_t incarnation = 0;
    bool dead = false;
    std::vector<OtherPublisher> publishers;           ///< of interest when there are own subscriptions
    std::vector<const EndpointInfo *> subscriptions;  ///< of interest when there are own publishers
    std::vector<OfferedLane> lanes;
  };

  std::uint64_t self = 0;  ///< incarnation of this process
  std::vector<Subscription> subscriptions;
  std::vector<Publisher> publishers;
  std::vector<Process> processes;
};

/// What is to be done, by the numbers of own endpoints.
struct MatchPlan {
  struct NewLane {
    std::uint64_t subscription = 0;
    EndpointId publisher;
    bool operator==(const NewLane &) const = default;
  };
  struct EndedLane {
    std::uint64_t subscription = 0;
    std::uint64_t lane = 0;
    bool at_once = false;  ///< else once it is read to its end
    bool operator==(const EndedLane &) const = default;
  };
  /// A lane of process `incarnation` to the own publisher: to acknowledge, or whose acknowledgement is to be withdrawn.
  struct Reader {
    std::uint64_t publisher = 0;
    std::uint64_t incarnation = 0;
    std::uint64_t lane = 0;
    bool operator==(const Reader &) const = default;
  };
  /// Two endpoints of the topic that cannot be matched, one of them in process `other`.
  struct Mismatch {
    std::uint64_t other = 0;
    bool other_publishes = false;
    std::string reason;
    std::uint64_t own = 0;                ///< number of ours
    std::uint64_t their = 0;              ///< number of the other
    QosPolicy policy = QosPolicy::kNone;  ///< kNone: the types differ
    bool operator==(const Mismatch &) const = default;
  };

  std::vector<NewLane> lanes_to_make;
  std::vector<EndedLane> lanes_to_end;
  std::vector<Reader> lanes_to_acknowledge;
  std::vector<Reader> readers_to_remove;
  std::vector<Mismatch> mismatches;
  /// Something is waited for that no change of a directory will announce: look again whenever somebody rings.
  bool is_waiting = false;

  bool is_idle() const {
    return lanes_to_make.empty() && lanes_to_end.empty() && lanes_to_acknowledge.empty() && readers_to_remove.empty();
  }
};

MatchPlan match(const TopicSnapshot & topic);

/// Whether every match that is due has come about, on both sides.
bool is_settled(const TopicSnapshot & topic);

}  // namespace tandem
