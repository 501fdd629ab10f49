// A participant: libzmq's context, the roster, and the one thread that serves sockets nobody else waits for.
#pragma once

#include <chrono>
#include <memory>
#include <mutex>
#include <thread>
#include <vector>

#include <zmq.hpp>

#include "poller.hpp"
#include "settings.hpp"
#include "tandem/transport_support/roster.hpp"

namespace rmw_zeromq {

using tandem::transport::RosterEntry;

/// What is still owed to others when a publisher ends, they get within this time; what a killed publisher has left in
/// its sockets is read for as long.
inline constexpr std::chrono::seconds kGrace{1};

/// A publisher or a subscription, as the hub sees it.
class Endpoint : public Served {
 public:
  virtual const RosterEntry & entry() const = 0;
  /// Looks into the roster, with its own lock held, for those of the other kind that it is to be connected with: what
  /// it has learnt from there meanwhile is not undone by what was read before.
  virtual void match() = 0;
  /// Called several times a second while it returns true.
  virtual bool tick() { return false; }
};

/// Thread-safe. Its users keep it alive: the interface's objects, not the endpoints themselves, which the hub's thread
/// may be the last to hold.
class Hub {
 public:
  explicit Hub(std::uint32_t domain);
  ~Hub();

  /// In a child of fork() nothing here works, and nothing may be touched.
  bool is_foreign() const { return generation_ != fork_generation(); }
  const Settings & settings() const { return settings_; }
  tandem::transport::Roster & roster() { return roster_; }
  Poller & poller() { return poller_; }
  zmq::socket_t make_socket(zmq::socket_type type, const std::string & topic);

  /// A number for it, for the poller; from announce() on it is seen by others, matched and ticked.
  std::uint32_t add(const std::shared_ptr<Endpoint> & endpoint) { return Served::enlist(endpoint); }
  /// \throws Error when the roster cannot be written.
  void announce(const std::shared_ptr<Endpoint> & endpoint, std::uint32_t number);
  void remove(const std::shared_ptr<Endpoint> & endpoint, std::uint32_t number);
  /// Keeps an endpoint that has been removed until its tick() returns false, kGrace at most.
  void keep(std::shared_ptr<Endpoint> endpoint);
  void match_all();
  void request_ticks();

 private:
  void run();
  /// Whether somebody wants the next one.
  bool tick();

  struct Kept {
    std::shared_ptr<Endpoint> endpoint;
    std::chrono::steady_clock::time_point until;
  };

  const std::uint32_t generation_ = fork_generation();
  const Settings settings_ = Settings::read();
  zmq::context_t context_;
  Poller poller_;
  std::mutex mutex_;
  std::vector<std::weak_ptr<Endpoint>> endpoints_;  ///< guarded by mutex_
  std::vector<Kept> kept_;                          ///< guarded by mutex_
  std::atomic<bool> wants_ticks_{false};
  std::atomic<bool> stopping_{false};
  tandem::transport::Roster roster_;  ///< its thread calls match_all(), until its destructor has returned
  std::thread thread_;
};

}  // namespace rmw_zeromq
