// A participant: its endpoints, its connections, and the one thread that serves them.
//
// One mutex guards everything below. The thread sleeps in epoll until a socket, the folder or a local call needs it, and
// otherwise looks around once a second for participants that were killed.
#pragma once

#include <atomic>
#include <chrono>
#include <condition_variable>
#include <map>
#include <mutex>
#include <set>
#include <thread>

#include "links.hpp"

namespace unixsocket {

using tandem::transport::PublishResult;
using tandem::transport::Sample;

/// What a wait-set sleeps on.
class Bell {
 public:
  Bell();
  void ring() const;  ///< async-signal-safe
  void drain() const;
  int fd() const { return fd_.get(); }
  std::atomic<bool> woken{false};

 private:
  Descriptor fd_;
};

struct PublisherState {
  EndpointInfo endpoint;
  const tandem::MessageType * type = nullptr;
  std::deque<Message> history;  ///< for late joiners
  std::uint64_t next = 0;
  std::uint64_t failed_borrows = 0;
  std::atomic<std::size_t> loans{0};
  std::vector<std::shared_ptr<Outgoing>> links;
};

struct SubscriptionState {
  EndpointInfo endpoint;
  const tandem::MessageType * type = nullptr;
  struct Arrived {
    Message message;
    Gid publisher;
  };
  std::deque<Arrived> queue;
  std::uint64_t lost = 0;
  std::vector<std::shared_ptr<Incoming>> links;
  std::shared_ptr<Bell> bell;
};

/// Thread-safe. Destruction sends what is still owed, for at most a second.
class Hub {
 public:
  explicit Hub(std::uint32_t domain);
  ~Hub();

  void add(const NodeName & node);
  void remove(const NodeName & node);
  std::shared_ptr<PublisherState> add_publisher(const tandem::MessageType & type, const EndpointInfo & info);
  void remove_publisher(const std::shared_ptr<PublisherState> & publisher);
  std::shared_ptr<SubscriptionState> add_subscription(const tandem::MessageType & type, const EndpointInfo & info);
  void remove_subscription(const std::shared_ptr<SubscriptionState> & subscription);

  PublishResult publish(PublisherState & publisher, std::shared_ptr<const Payload> payload);
  Sample take(SubscriptionState & subscription);
  tandem::transport::GraphSnapshot graph() const;

  /// Guards the states' members.
  std::mutex & mutex() const { return mutex_; }

 private:
  void announce_locked();
  EndpointInfo make_endpoint(const tandem::MessageType & type, const EndpointInfo & info);
  void control_locked(int operation, int fd, std::uint32_t events);
  void run();
  bool finished_locked() const;
  void serve_locked(int fd);
  void accept_locked();
  bool wait_for_room(std::unique_lock<std::mutex> & lock, PublisherState & publisher);

  void match_locked();
  void consider_locked(PublisherState & publisher, const EndpointInfo & subscription, const std::string & id);
  void warn_once_locked(const EndpointInfo & publisher, const EndpointInfo & subscription);
  void connect_locked(PublisherState & publisher, const EndpointInfo & subscription, const std::string & id);

  void flush_locked(const std::shared_ptr<Outgoing> & link);
  void drop_locked(const std::shared_ptr<Outgoing> & link);
  void receive_locked(const std::shared_ptr<Incoming> & link);
  void deliver_locked(SubscriptionState & subscription, Incoming & link, Message message);
  void drop_locked(const std::shared_ptr<Incoming> & link);
  void pause_locked(SubscriptionState & subscription, bool paused);
  SubscriptionState * subscription_of(const Gid & gid);

  const std::uint64_t id_;
  Folder folder_;
  Descriptor epoll_;
  Descriptor nudge_;
  mutable std::mutex mutex_;
  std::condition_variable room_;  ///< a link has sent something or is gone
  Presence own_;
  std::vector<Presence> others_;
  std::uint64_t last_number_ = 0;
  std::vector<std::shared_ptr<PublisherState>> publishers_;
  std::map<Gid, std::shared_ptr<SubscriptionState>> subscriptions_;
  std::map<int, std::shared_ptr<Outgoing>> outgoing_;
  std::map<int, std::shared_ptr<Incoming>> incoming_;
  std::set<std::pair<Gid, Gid>> warned_;
  bool stopping_ = false;
  std::chrono::steady_clock::time_point stop_by_;
  std::thread thread_;
};

}  // namespace unixsocket
