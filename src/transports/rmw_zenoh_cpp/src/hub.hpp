// A participant: its Zenoh session, its place in the roster, and the thread that connects what matches.
#pragma once

#include <atomic>
#include <chrono>
#include <memory>
#include <mutex>
#include <string>
#include <thread>
#include <vector>

#include "tandem/transport_support/bell.hpp"
#include "tandem/transport_support/roster.hpp"
#include "wire.hpp"

namespace rmw_zenoh {

using tandem::transport::RosterEntry;
using Clock = std::chrono::steady_clock;

/// Notes for the hub's thread, so that Zenoh's callbacks neither wait nor call Zenoh. Callbacks share it, since they may
/// outlast everything else. Thread-safe.
class Mail {
 public:
  struct Item {
    Gid endpoint;   ///< ours, that it is for
    Gid publisher;  ///< that it is about
    Note note;
  };
  void post(const Item & item);
  std::vector<Item> take();
  tandem::transport::Bell bell;

 private:
  std::mutex mutex_;
  std::vector<Item> items_;  ///< guarded by mutex_
};

/// A publisher or subscription as the hub sees it. The hub calls with its mutex held.
class Endpoint {
 public:
  explicit Endpoint(RosterEntry entry) : entry_(std::move(entry)) {}
  virtual ~Endpoint() = default;
  /// Connects and disconnects, so that it is connected to these only. \return when to call it again at the latest.
  virtual Clock::time_point connect(const std::vector<RosterEntry> & matches) = 0;
  virtual void handle(const Mail::Item & item) = 0;
  const RosterEntry & entry() const { return entry_; }

 protected:
  const RosterEntry entry_;
};

/// Thread-safe. All that belongs to a context holds a reference.
class Hub {
 public:
  /// \throws tandem::transport::Error.
  explicit Hub(std::uint32_t domain);
  ~Hub();
  Hub(const Hub &) = delete;
  Hub & operator=(const Hub &) = delete;

  const ZnSession * session() const { return session_; }
  tandem::transport::Roster & roster() { return *roster_; }
  const std::shared_ptr<Mail> & mail() const { return mail_; }
  std::string key_of(const std::string & topic, const Gid & publisher) const {
    return rmw_zenoh::key_of(domain_, topic, publisher);
  }
  /// To a publisher.
  void send(const std::string & control_key, const Note & note) const;

  /// Makes it known and connects it. It must be removed before its destructor ends.
  void add(Endpoint & endpoint);
  void remove(Endpoint & endpoint);

 private:
  std::string configuration() const;
  Clock::time_point attend(const std::string * topic);
  void deliver_mail();
  void run();

  const std::uint32_t domain_;
  const std::shared_ptr<Mail> mail_ = std::make_shared<Mail>();
  std::atomic<bool> is_changed_{true};
  std::atomic<bool> is_stopping_{false};
  std::unique_ptr<tandem::transport::Roster> roster_;
  ZnSession * session_ = nullptr;
  std::mutex mutex_;
  std::vector<Endpoint *> endpoints_;  ///< guarded by mutex_
  std::thread thread_;
};

}  // namespace rmw_zenoh
