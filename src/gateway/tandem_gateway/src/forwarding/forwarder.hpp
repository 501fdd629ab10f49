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
//
// Services: service_channel.hpp.
#pragma once

#include <atomic>
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <thread>

#include "forwarding/fair_mutex.hpp"
#include "forwarding/service_channel.hpp"
#include "forwarding/topic.hpp"

namespace tandem::gateway {

class Forwarder {
 public:
  /// The forwarder's thread calls `on_unknown_source` when a message arrives that has no way on yet: of a publisher
  /// without a proxy, or a request to a service without a client.
  Forwarder(Direction direction, std::shared_ptr<transport::WaitSet> wait_set, std::function<void()> on_unknown_source);
  ~Forwarder();
  Forwarder(const Forwarder &) = delete;
  Forwarder & operator=(const Forwarder &) = delete;

  Direction direction() const { return direction_; }
  /// Guards topics() and services(). No message moves while it is held, so hold it briefly.
  FairMutex & mutex() { return mutex_; }
  std::map<std::string, Topic> & topics() { return topics_; }
  /// Of each service that is carried the channel whose messages go in this direction.
  std::map<std::string, ServiceChannel> & services() { return services_; }
  /// Makes the thread look at topics() and services() again. Thread-safe.
  void wake();

 private:
  void run();
  bool forward_all();
  bool forward(Topic & topic);
  bool drain(Topic & topic, Grade grade, GatewaySubscription & subscription);
  bool route(Topic & topic, QueuedMessage message, std::size_t & bytes);
  void enqueue(Topic & topic, Proxy & proxy, QueuedMessage message);
  void flush(Topic & topic, Proxy & proxy);
  void remove_unknown_publishers(Topic & topic);
  void attach(GatewaySubscription & subscription, bool wanted);

  const Direction direction_;
  const std::shared_ptr<transport::WaitSet> wait_set_;
  const std::function<void()> on_unknown_source_;
  FairMutex mutex_;
  std::map<std::string, Topic> topics_;
  std::map<std::string, ServiceChannel> services_;
  bool must_retry_ = false;  ///< a proxy or a topic could not go on; used by the thread alone
  std::atomic<bool> stopping_ = false;
  std::thread thread_;
};

}  // namespace tandem::gateway
