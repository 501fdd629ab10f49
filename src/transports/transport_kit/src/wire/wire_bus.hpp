// The participant of a transport over a wire: its place in the roster, its table of connections, and the thread that
// connects what matches.
//
// Locks, in the order in which they are taken: the bus's mutex, a SendingPort's, an ArrivalQueue's (a wire may push while it
// sends), then those of the roster, the poller and the tables. Link::serving_ comes before the ArrivalQueue's. Nothing below
// an ArrivalQueue's mutex takes one of those above it.
#pragma once

#include <algorithm>
#include <atomic>
#include <chrono>
#include <map>
#include <memory>
#include <mutex>
#include <set>
#include <string>
#include <thread>
#include <vector>

#include "tandem/kit/wire.hpp"
#include "waiting/poll_waiter.hpp"
#include "wire/connections.hpp"
#include "wire/patience.hpp"

namespace tandem::transport {

using Clock = std::chrono::steady_clock;

/// Null when it is not among them.
inline const RosterEntry * find(const std::vector<RosterEntry> & entries, const Gid & gid) {
  const auto found = std::find_if(entries.begin(), entries.end(),
                                  [&](const RosterEntry & entry) { return entry.endpoint.gid == gid; });
  return found == entries.end() ? nullptr : &*found;
}

/// A publisher or subscription as the bus sees it. Called with the bus's mutex held.
class WireEndpoint {
 public:
  virtual ~WireEndpoint() = default;
  virtual const RosterEntry & entry() const = 0;
  /// Connects and disconnects, so that it is connected with these only. \return when to call it again at the latest.
  virtual Clock::time_point connect(const std::vector<RosterEntry> & matches) = 0;
  /// After connect(), by the same thread: with whom it is.
  virtual StatusBoard::Counterparts connected() const = 0;
  const std::shared_ptr<StatusBoard> board = std::make_shared<StatusBoard>();
};

/// One of the waiters of the own table.
class TableWaiter final : public Waiter {
 public:
  TableWaiter(std::shared_ptr<ConnectionTable> table, std::uint32_t index)
      : number(index), table_(std::move(table)), counter_(table_->waiter(index)) {}
  void ring() noexcept override { counter_.ring(RingCounter::Scope::kShared); }
  std::uint32_t count() const noexcept override { return counter_.count(); }
  void sleep(std::uint32_t seen, std::chrono::nanoseconds timeout) noexcept override {
    counter_.sleep(seen, timeout, RingCounter::Scope::kShared);
  }

  const std::uint32_t number;

 private:
  const std::shared_ptr<ConnectionTable> table_;
  RingCounter & counter_;
};

class WireBus final : public Bus, public std::enable_shared_from_this<WireBus> {
 public:
  WireBus(const char * name, std::uint32_t domain,
          const std::function<std::unique_ptr<Wire>(const Surroundings &)> & make_wire);
  ~WireBus() override;

  const char * name() const override { return name_; }
  void add_node(const NodeName & node) override { roster_->add(node); }
  void remove_node(const NodeName & node) override { roster_->remove(node); }
  std::shared_ptr<Writer> create_writer(const MessageType & type, const EndpointInfo & endpoint) override;
  std::shared_ptr<Reader> create_reader(const MessageType & type, const EndpointInfo & endpoint, bool ignore_local,
                                        std::function<void()> on_data) override;
  GraphSnapshot graph() const override { return roster_->graph(); }
  bool is_own(const Gid & endpoint) const override { return same_participant(endpoint, own_); }
  bool is_foreign() const override;

  WaiterLease lease_waiter() override;
  bool waits_for_its_own() const override { return wire_->waking() == Waking::kSharedMemory; }

  Wire & wire() { return *wire_; }
  Poller & poller() { return poller_; }
  const std::shared_ptr<ConnectionTable> & connections() const { return connections_; }
  /// Of the participant that an endpoint belongs to; null when it is not there (yet, or any more).
  std::shared_ptr<ConnectionTable> connections_of(const Gid & endpoint);
  /// Whether this one of others matches an own endpoint, by what the roster tells now.
  bool has_match(const RosterEntry & own, const Gid & other) { return find(roster_->matches(own), other) != nullptr; }
  /// Has the participant of an endpoint look at all of its endpoints.
  void call(const Gid & endpoint);

  /// Has the bus's thread look at all endpoints of this participant.
  void call_self();

  /// Makes it known and connects it. \throws Error.
  void add(WireEndpoint & endpoint);
  /// Not connected any more; the bus does not know it from here on.
  void remove(WireEndpoint & endpoint);
  /// Keeps what has been removed until `is_done` says so, kLinger at most.
  void linger(std::shared_ptr<void> kept, std::function<bool()> is_done);

 private:
  struct Lingering {
    std::shared_ptr<void> kept;
    std::function<bool()> is_done;
    Clock::time_point until;
  };

  Clock::time_point attend(const std::string * topic);
  bool serve_lingering();
  Clock::time_point attend_to_all();
  void forget_the_gone();
  void open_calls();
  void run();

  const char * const name_;
  const std::uint32_t generation_;
  Poller poller_;
  Descriptor calls_;  ///< a datagram socket: what comes is a call, however much it is
  std::atomic<bool> is_changed_{true};
  std::atomic<bool> is_roster_changed_{true};
  std::atomic<bool> is_stopping_{false};
  std::unique_ptr<Roster> roster_;
  Gid own_{};
  std::shared_ptr<ConnectionTable> connections_;
  std::unique_ptr<Wire> wire_;

  std::mutex mutex_;                       ///< held while endpoints connect
  std::vector<WireEndpoint *> endpoints_;  ///< guarded by mutex_
  std::mutex tables_mutex_;
  std::map<std::string, std::shared_ptr<ConnectionTable>>
      tables_;                     ///< of others, by participant; guarded by tables_mutex_
  std::set<std::string> present_;  ///< of the thread: participants with endpoints
  std::mutex waiters_mutex_;
  std::set<std::uint32_t> waiters_;  ///< in use; guarded by waiters_mutex_
  std::mutex lingering_mutex_;
  std::vector<Lingering> lingering_;  ///< guarded by lingering_mutex_
  std::thread thread_;
};

}  // namespace tandem::transport
