// A participant: its endpoints, its connections, and the one thread that serves them.
//
// One mutex guards everything below. The thread sleeps in epoll until a socket or a local call needs it; who is there
// the roster tells, from its own thread.
#pragma once

#include <atomic>
#include <chrono>
#include <condition_variable>
#include <functional>
#include <map>
#include <mutex>
#include <optional>
#include <thread>

#include "links.hpp"
#include "tandem/transport_support/roster.hpp"

namespace unixsocket {

using tandem::transport::PublishResult;
using tandem::transport::RosterEntry;

struct PublisherState {
  RosterEntry entry;
  const tandem::MessageType * type = nullptr;
  std::deque<Message> history;  ///< for late joiners
  std::uint64_t next = 0;
  std::vector<std::shared_ptr<Outgoing>> links;
};

struct SubscriptionState {
  RosterEntry entry;
  const tandem::MessageType * type = nullptr;
  struct Arrived {
    Message message;
    Gid publisher;
  };
  std::deque<Arrived> queue;
  std::uint64_t lost = 0;
  std::vector<std::shared_ptr<Incoming>> links;
  std::function<void()> arrived;  ///< the queue has grown
};

/// Thread-safe. Destruction sends what is still owed, for at most a second.
class Hub {
 public:
  explicit Hub(std::uint32_t domain);
  ~Hub();

  tandem::transport::Roster & roster() { return roster_; }
  std::shared_ptr<PublisherState> add_publisher(const tandem::MessageType & type, RosterEntry entry);
  void remove_publisher(const std::shared_ptr<PublisherState> & publisher);
  std::shared_ptr<SubscriptionState> add_subscription(const tandem::MessageType & type, RosterEntry entry,
                                                      std::function<void()> arrived);
  void remove_subscription(const std::shared_ptr<SubscriptionState> & subscription);

  PublishResult publish(PublisherState & publisher, std::shared_ptr<const Payload> payload);
  bool wait_until_acked(PublisherState & publisher, std::chrono::nanoseconds timeout);
  std::optional<SubscriptionState::Arrived> take(SubscriptionState & subscription);

  /// Guards the states' members.
  std::mutex & mutex() const { return mutex_; }

 private:
  void announce_locked(RosterEntry & entry);
  void listen();
  void control_locked(int operation, int fd, std::uint32_t events);
  void run();
  bool finished_locked() const;
  void serve_locked(int fd);
  void accept_locked();
  bool wait_for_room(std::unique_lock<std::mutex> & lock, PublisherState & publisher);

  void match_locked();
  void match_locked(PublisherState & publisher);
  void connect_locked(PublisherState & publisher, const RosterEntry & subscription);

  void flush_locked(const std::shared_ptr<Outgoing> & link);
  void drop_locked(const std::shared_ptr<Outgoing> & link);
  void receive_locked(const std::shared_ptr<Incoming> & link);
  void deliver_locked(SubscriptionState & subscription, Incoming & link, Message message);
  void drop_locked(const std::shared_ptr<Incoming> & link);
  void pause_locked(SubscriptionState & subscription, bool paused);
  SubscriptionState * subscription_of(const Gid & gid);

  Descriptor epoll_;
  Descriptor nudge_;
  Descriptor listener_;
  mutable std::mutex mutex_;
  std::condition_variable room_;  ///< a link has sent something or is gone
  std::vector<std::shared_ptr<PublisherState>> publishers_;
  std::map<Gid, std::shared_ptr<SubscriptionState>> subscriptions_;
  std::map<int, std::shared_ptr<Outgoing>> outgoing_;
  std::map<int, std::shared_ptr<Incoming>> incoming_;
  bool stopping_ = false;
  std::chrono::steady_clock::time_point stop_by_;
  tandem::transport::Roster roster_;  ///< its thread calls into all of the above, until its destructor has returned
  std::thread thread_;
};

}  // namespace unixsocket
