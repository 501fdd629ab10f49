// Joins this host to a network: carries topics and shows nodes between two contexts.
//
// What it promises:
//  * a message makes one hop: what comes from the network does not go back to it, whatever the number of gateways;
//  * each publisher has a proxy on the other side, with its QoS and under its node's name;
//  * a topic is subscribed to on this host only while somebody on the network wants it;
//  * no publisher of this host waits for the network, unless it is reliable and keeps all.
#pragma once

#include <chrono>
#include <memory>
#include <string>
#include <vector>

#include "tandem/gateway/topic_filter.hpp"
#include "tandem/transport.hpp"

namespace tandem::gateway {

/// Of one topic in one direction, since the gateway started.
struct Carried {
  std::uint64_t messages = 0;
  std::uint64_t bytes = 0;   ///< of their CDR
  std::uint64_t lost = 0;    ///< overtaken before they were read, or given up
  std::uint64_t copied = 0;  ///< in shared memory, instead of being handed over
  std::size_t publishers = 0;
  std::size_t subscriptions = 0;
  std::size_t readers = 0;  ///< subscriptions that the publishers have, summed up
};

struct TopicStatus {
  std::string topic;
  std::string type;
  Carried out;  ///< to the network
  Carried in;   ///< from the network
};

struct Status {
  std::vector<TopicStatus> topics;
  std::size_t local_nodes = 0;
  std::size_t network_nodes = 0;
};

class Gateway {
 public:
  /// Both contexts are the gateway's own: nobody else makes endpoints in them.
  /// \throws transport::Error
  Gateway(std::shared_ptr<transport::Context> local, std::shared_ptr<transport::Context> network, TopicFilter filter);
  ~Gateway();
  Gateway(const Gateway &) = delete;
  Gateway & operator=(const Gateway &) = delete;

  /// Carries messages until stop(); looks at both graphs ten times a second.
  void run();
  /// Thread-safe.
  void stop();
  /// Thread-safe.
  Status status() const;
  /// How long nobody but the gateway has been on this host. Thread-safe.
  std::chrono::steady_clock::duration alone() const;
  /// Waits until run() has looked at the graphs anew, or stop() has been called. Thread-safe.
  void wait_for_look() const;

 private:
  struct Impl;
  const std::unique_ptr<Impl> impl_;
};

}  // namespace tandem::gateway
