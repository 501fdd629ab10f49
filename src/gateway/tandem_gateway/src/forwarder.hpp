// Moves the messages of all topics in one direction, in one thread.
//
//   publisher A ─┐                    ┌─► proxy of A
//   publisher B ─┼─► subscription ────┼─► proxy of B
//   (one side)       of the gateway   (other side)
//
// Each publisher of the one side has a proxy on the other. A message goes to the proxy of its publisher
// (MessageInfo::publisher).
//
// The thread never waits for a reader. A proxy that cannot publish now queues the message and tries again later, while
// the other topics go on. When its queue is full, the oldest message is dropped. A proxy whose publisher is reliable
// and keeps all drops nothing: the topic stalls, nothing more is taken, and in the end the publisher waits, as its QoS
// says.
#pragma once

#include <atomic>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <thread>

#include "topic.hpp"

namespace tandem::gateway {

class Forwarder {
 public:
  /// The forwarder's thread calls `on_unknown_publisher` when a message of a publisher without a proxy arrives.
  Forwarder(Direction direction, std::shared_ptr<transport::WaitSet> wait_set,
            std::function<void()> on_unknown_publisher);
  ~Forwarder();
  Forwarder(const Forwarder &) = delete;
  Forwarder & operator=(const Forwarder &) = delete;

  Direction direction() const { return direction_; }
  /// Guards topics(). No message moves while it is held, so hold it briefly.
  std::mutex & mutex() { return mutex_; }
  std::map<std::string, Topic> & topics() { return topics_; }
  /// Makes the thread look at topics() again. Thread-safe.
  void wake();

 private:
  void run();
  bool forward_all();
  bool forward(Topic & topic);
  bool drain(Topic & topic, Grade grade, GatewaySubscription & subscription);
  bool take(Topic & topic, GatewaySubscription & subscription, QueuedMessage & message);
  bool route(Topic & topic, QueuedMessage message);
  void enqueue(Topic & topic, Proxy & proxy, QueuedMessage message);
  void flush(Topic & topic, Proxy & proxy);
  bool publish(Topic & topic, Proxy & proxy, QueuedMessage & message);
  void remove_unknown_publishers(Topic & topic);
  void attach(GatewaySubscription & subscription, bool wanted);

  const Direction direction_;
  const std::shared_ptr<transport::WaitSet> wait_set_;
  const std::function<void()> on_unknown_publisher_;
  std::mutex mutex_;
  std::map<std::string, Topic> topics_;
  bool must_retry_ = false;  ///< a proxy or a topic could not go on; used by the thread alone
  std::atomic<bool> stopping_ = false;
  std::thread thread_;
};

}  // namespace tandem::gateway
