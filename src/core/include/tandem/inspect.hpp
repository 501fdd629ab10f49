// A look at shared memory from outside: who is there, who is connected to whom, and how they fare.
//
// For tools. Nobody is joined, disturbed or waited for, nothing is mapped, and nothing is written but by clean(); it
// works where /dev/shm is full, and on what dead processes left. Regions are read with pread(2) while their owners write:
// each number is as it was at some moment, and what does not fit together is left out.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "tandem/types.hpp"

namespace tandem::inspection {

struct Options {
  std::string directory;                ///< empty: the one that join() would use
  std::optional<std::uint32_t> domain;  ///< all of them when there is none
};

/// A subscription's way to one publisher, as the subscription's process tells it.
struct Lane {
  std::uint64_t number = 0;
  std::uint64_t subscription = 0;  ///< number, in the same region
  EndpointId publisher;
  std::uint32_t depth = 0;
  std::uint32_t quota = 0;  ///< messages that the reader would like to keep
  bool owed = false;        ///< nothing may be lost: reliable and keep-all on both sides
  bool closed = false;      ///< takes no more, but some messages are still in use
  std::uint64_t cursor = 0;
  std::uint32_t held = 0;  ///< messages in use
  std::uint64_t lost = 0;
  std::uint64_t copied = 0;  ///< because more were kept than the quota
};

/// A publisher's word to a lane.
struct Acknowledgement {
  std::uint64_t incarnation = 0;
  std::uint64_t lane = 0;
  std::uint64_t first = 0;
  std::uint64_t quota = 0;
};

struct Publisher {
  EndpointInfo info;
  std::uint64_t record = 0;  ///< where in its region it is described
  bool closed = false;       ///< only waits for its readers to drain
  std::uint32_t ring_size = 0;
  std::uint64_t published = 0;
  std::uint64_t copied = 0;   ///< of these, those that were copied first
  std::uint32_t waiting = 0;  ///< threads that wait for a slow reader
  std::uint64_t failed_borrows = 0;
  std::uint64_t timeouts = 0;
  std::uint64_t forgotten = 0;
  /// As noted two seconds ago or later: used = free + loaned + in_ring + kept (by readers, beyond the ring).
  struct Blocks {
    std::uint32_t max = 0;
    std::uint32_t used = 0;
    std::uint32_t free = 0;
    std::uint32_t loaned = 0;
    std::uint32_t in_ring = 0;
    std::uint32_t kept = 0;
  } blocks;
  double mean_size = 0;  ///< bytes, of the last messages (64 at most); without what their sequences and strings hold
  std::vector<Acknowledgement> acknowledgements;
};

struct Subscription {
  EndpointInfo info;
};

enum class State : std::uint8_t {
  kAlive,         ///< its process holds the lock
  kDead,          ///< nobody does: left behind
  kForeign,       ///< another user's, or without the right to read it
  kOtherVersion,  ///< alive, but with another layout: see `version`
  kDamaged,       ///< alive, but no region, or not a whole one
  kUnreachable,   ///< a link to a descriptor of a process that is not there, or is in another PID namespace
};

struct Region {
  std::string path;
  std::uint64_t incarnation = 0;
  State state = State::kDamaged;
  std::string reason;  ///< why it is not plainly alive or dead
  // 0 or empty where the file does not tell.
  std::uint32_t version = 0;
  std::int32_t pid = 0;
  bool same_pid_namespace = false;  ///< whether `pid` means anything here
  std::uint32_t user = 0;
  std::string executable;
  std::int64_t created = 0;        ///< ns of CLOCK_REALTIME
  double since_housekeeping = -1;  ///< seconds since its housekeeping last ran; below 0: unknown
  std::uint64_t reserved = 0;      ///< bytes of address space
  std::uint64_t length = 0;        ///< bytes of the file: all that was ever committed lies below
  std::uint64_t memory = 0;        ///< bytes that the file takes of the file system
  std::uint64_t heap_in_use = 0;
  std::uint32_t directory_used = 0;
  std::uint32_t directory_size = 0;
  std::vector<NodeName> nodes;
  std::vector<Publisher> publishers;
  std::vector<Subscription> subscriptions;
  std::vector<Lane> lanes;
  std::vector<std::string> damage;  ///< what in it cannot be right
};

enum class Means : std::uint8_t {
  kZeroCopy,
  kCopies,    ///< some or all messages are copied
  kPending,   ///< on its way
  kMismatch,  ///< no messages will pass
  kNone,      ///< both in one process, and the subscription leaves that out
};
const char * to_string(Means means);
/// The one that a reader of both suffers more from.
Means worse(Means a, Means b);
const char * to_string(State state);

/// A publisher and a subscription of one topic.
struct Connection {
  std::string topic;
  EndpointId publisher;
  EndpointId subscription;
  Means means = Means::kPending;
  std::string why;            ///< unless kZeroCopy
  std::uint64_t backlog = 0;  ///< messages that may still be taken
  std::uint32_t held = 0;
  std::uint64_t quota = 0;
  std::uint64_t lost = 0;
  std::uint64_t copied = 0;
  bool owed = false;
};

struct File {
  std::string path;
  std::uint64_t memory = 0;
};

struct Domain {
  std::uint32_t number = 0;
  std::string path;
  std::string objection;  ///< why a process of this user would not join it
  std::vector<Region> regions;
  std::vector<File> stray;  ///< bells without a region
  bool is_empty = false;    ///< nobody is there
  std::vector<Connection> connections;

  const Region * region(std::uint64_t incarnation) const;
  const Publisher * publisher(EndpointId id) const;
  const Subscription * subscription(EndpointId id) const;
};

struct Report {
  std::string directory;
  bool exists = false;
  std::string objection;  ///< why a process of this user would not use it
  std::uint32_t user = 0;
  std::uint32_t group = 0;
  std::uint32_t mode = 0;
  bool is_shared = false;  ///< with its group
  std::vector<Domain> domains;
};

/// The layout of regions that this library reads and writes.
std::uint32_t layout_version();

/// Thread-safe. Costs some system calls for each region, endpoint and match. Errors are in the report.
Report inspect(const Options & options = {});

struct Cleaned {
  std::vector<File> removed;
  std::vector<std::string> failed;  ///< sentences
};
/// Removes what is dead: regions that nobody holds, with their bells; stray bells; folders of domains without anybody.
/// Never what is alive, another version's or not.
Cleaned clean(const Options & options = {});

}  // namespace tandem::inspection
