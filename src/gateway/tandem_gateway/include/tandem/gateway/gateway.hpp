// Joins this host to a network: carries topics and services and shows nodes between two contexts.
//
// What it promises:
//  * a message makes one hop: what comes from the network does not go back to it, whatever the number of gateways;
//  * each publisher has a proxy on the other side, with its QoS and under its node's name;
//  * a topic is subscribed to on this host only while somebody on the network wants it;
//  * a service is offered on the other side for as long as it has a server; a request has at most one reply;
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

/// Since the service is offered on the other side.
struct ServiceStatus {
  std::string service;
  std::string type;
  bool is_local = false;  ///< its servers are on this host
  std::uint64_t requests = 0;
  std::uint64_t replies = 0;
  std::uint64_t bytes = 0;  ///< of the CDR of both
  std::uint64_t lost = 0;   ///< overtaken before they were read, given up, or requests that were forgotten
  std::size_t waiting = 0;  ///< requests that have no reply yet
  std::size_t clients = 0;  ///< on the other side
};

struct Status {
  std::vector<TopicStatus> topics;
  std::vector<ServiceStatus> services;
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
