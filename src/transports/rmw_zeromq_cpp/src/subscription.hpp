// The subscription: a DEALER socket for each publisher that matches, and one queue.
#pragma once

#include <deque>
#include <optional>
#include <vector>

#include "hub.hpp"
#include "wire.hpp"

namespace rmw_zeromq {

/// Thread-safe. See poller.hpp for Z1 and Z2.
class SubscriptionBody final : public Endpoint {
 public:
  struct Arrived {
    zmq::message_t frame;
    Header header;
  };

  /// Announced once hub.add() has been called.
  SubscriptionBody(Hub & hub, const tandem::MessageType & type, RosterEntry entry);

  void open(std::uint32_t number);
  /// Afterwards nothing arrives, and the hub is not touched any more.
  void close();

  std::optional<Arrived> take();
  bool has_data() const { return queued_.load(std::memory_order_seq_cst) > 0; }  // Z2
  std::size_t publisher_count() const;
  std::uint64_t lost() const { return lost_.load(std::memory_order_relaxed); }
  void count_lost() { lost_.fetch_add(1, std::memory_order_relaxed); }
  void warn_once(const std::string & text);

  /// Its sockets are waited for there; null: by the hub.
  void move_to(std::shared_ptr<Poller> poller);
  /// The same, but only if it is there.
  void leave(const std::shared_ptr<Poller> & poller);
  bool is_at(const std::shared_ptr<Poller> & poller) const;

  const RosterEntry & entry() const override { return entry_; }
  void serve(std::uint32_t part) override;
  void match() override;
  bool tick() override;

 private:
  using Time = std::chrono::steady_clock::time_point;
  struct Link {
    RosterEntry publisher;
    std::uint32_t part = 0;
    std::optional<zmq::socket_t> socket;  ///< none after the farewell
    Time since;
    bool is_welcome = false;
    bool has_warned = false;   ///< that it cannot be reached
    std::optional<Time> gone;  ///< when the roster lost it
    std::uint64_t next = 0;    ///< sequence of the next message if none is lost
    std::uint64_t told = 0;    ///< the publisher knows that everything before was taken
    std::uint16_t window = 0;
    std::size_t queued = 0;
  };

  void connect_locked(const RosterEntry & publisher);
  void disconnect_locked(Link & link);
  Link * find_locked(const Gid & publisher);
  const Poller & poller_locked() const { return poller_ ? *poller_ : hub_.poller(); }

  void receive_locked(Link & link);
  void hear_locked(Link & link, zmq::message_t frame);
  void push_locked(Link & link, Arrived arrived);
  void drop_locked(std::deque<Arrived>::iterator item);
  void tell_locked(Link & link, Kind kind, std::uint64_t sequence);

  Hub & hub_;
  RosterEntry entry_;
  const std::int64_t max_frame_;
  std::uint32_t number_ = 0;
  std::atomic<std::size_t> queued_{0};  ///< Z2: size of queue_
  std::atomic<std::uint64_t> lost_{0};
  std::atomic<bool> has_warned_{false};

  mutable std::mutex mutex_;
  std::shared_ptr<Poller> poller_;  ///< null: the hub's
  std::deque<Arrived> queue_;
  std::vector<Link> links_;
  std::uint32_t last_part_ = 0;
  bool is_closed_ = false;
};

}  // namespace rmw_zeromq
