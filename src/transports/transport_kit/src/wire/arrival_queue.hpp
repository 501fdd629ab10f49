// What has arrived over the connections of a subscription, and is not taken yet.
#pragma once

#include <deque>
#include <optional>

#include "wire/wire_bus.hpp"

namespace tandem::transport {

class ArrivalQueue;

/// The connection with one publisher. The queue's mutex guards what is not constant.
class Link final : public Inbox, public std::enable_shared_from_this<Link> {
 public:
  Link(std::shared_ptr<ArrivalQueue> queue, WireBus & bus, const Gid & publisher, Connection * row, bool is_owed,
       std::chrono::nanoseconds lifespan);

  void push(const Header & header, std::unique_ptr<Chunk> chunk) override;
  /// Receives what has come, where the wire has a descriptor.
  void serve();

  const Gid publisher;
  const bool is_owed;                       ///< the publisher waits for this reader
  const std::chrono::nanoseconds lifespan;  ///< of its messages

 private:
  friend class ArrivalQueue;
  friend class WireReader;

  const std::shared_ptr<ArrivalQueue> queue_;
  const std::shared_ptr<ConnectionTable> own_;  ///< that the row is in
  const std::shared_ptr<ConnectionTable> theirs_;
  Connection * row_;  ///< null once the connection has ended
  const std::uint16_t generation_;
  std::shared_ptr<Receiver> receiver_;
  std::mutex serving_;  ///< taken before the queue's
  bool is_admitted_ = false;
  bool is_broken_ = false;  ///< to be made anew
  std::size_t queued_ = 0;  ///< of its messages, that are not taken
  std::uint64_t next_ = 0;  ///< number of the next message if none is lost
  const Clock::time_point since_ = Clock::now();
  std::optional<Clock::time_point> gone_;  ///< since when the publisher has been gone: what it has sent may still come
};

/// What has arrived and is not taken yet. Wires share it, since their callbacks may outlast the subscription. Thread-safe.
class ArrivalQueue {
 public:
  ArrivalQueue(const MessageType & type, const EndpointInfo & subscription, WireBus & bus,
               std::function<void()> on_data);

  void push(const std::shared_ptr<Link> & link, const Header & header, std::unique_ptr<Chunk> chunk);
  /// Links with descriptors are served there.
  void wait_in(Poller & poller, bool is_user);
  /// Publishers ring this waiter of the own table; 0: none.
  void wait_with(std::uint32_t waiter);
  std::uint32_t waiter() const { return waiter_; }  ///< the mutex is held
  /// Of a link that is among `links`; the mutex is held.
  void watch(const std::shared_ptr<Link> & link);
  void forget(const Link & link);
  /// Receives what has come, if no thread waits for it.
  void receive();
  bool take(Arrival & arrival);
  bool has_data() const;
  std::uint64_t lost() const { return lost_.load(std::memory_order_relaxed); }
  /// Calls nobody any more, and keeps nothing.
  void close();
  /// Wakes who waits. The mutex is held.
  void ring();
  /// Has the bus look at its endpoints. The mutex is held.
  void attend();

  mutable std::mutex mutex;
  std::vector<std::shared_ptr<Link>> links;  ///< guarded by mutex
  /// Counts what a publisher that has ended has sent and what never came. The mutex is held.
  void count_missing(Link & link);
  static std::optional<std::uint64_t> end_of(const Link & link);
  /// Whether messages of the connection count. The mutex is held.
  bool is_admitted(Link & link) const;

 private:
  struct Item {
    std::shared_ptr<Link> link;
    Header header;
    std::unique_ptr<Chunk> chunk;
  };

  Item drop_surplus(const Link & link);
  bool accept(Link & link, const Header & header);
  void hand_over(Link & link, const Header & header, Arrival & arrival) const;
  std::shared_ptr<Link> take_from_wire(Arrival & arrival);
  void note_taken(Link & link, std::uint64_t sequence) const;

  const Qos qos_;
  const bool serves_;  ///< is for requests: the depth is each client's
  const std::size_t window_;
  std::function<void()> on_data_;           ///< guarded by mutex
  std::deque<Item> items_;                  ///< guarded by mutex
  std::size_t turn_ = 0;                    ///< guarded by mutex
  WireBus * bus_;                           ///< guarded by mutex; null once closed
  Poller * poller_;                         ///< guarded by mutex
  std::uint32_t waiter_ = 0;                ///< guarded by mutex
  std::atomic<bool> is_waited_for_{false};  ///< by a wait-set
  std::atomic<std::size_t> size_{0};
  std::atomic<std::uint64_t> lost_{0};
};

}  // namespace tandem::transport
