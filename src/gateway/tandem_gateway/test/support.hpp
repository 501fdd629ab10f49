// Hosts for the tests: a domain of shared memory for each, all with gateways of their own to one network of sockets.
//
// The gateways are processes, as in life; nodes are this process. Tests wait for conditions and assert no durations.
#pragma once

#include <gtest/gtest.h>

#include <chrono>
#include <functional>
#include <map>
#include <memory>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "../../../transports/tandem_transport/test/transport_test.hpp"
#include "std_msgs/msg/string.hpp"
#include "std_msgs/msg/u_int64.hpp"
#include "tandem/transport.hpp"

namespace tandem::gateway {

using transport::Context;
using transport::Publisher;
using transport::Qos;
using transport::Subscription;
using Number = std_msgs::msg::UInt64;
using Text = std_msgs::msg::String;

inline constexpr std::uint32_t kNetworkDomain = 89;

using tandem::test::eventually;

Qos reliable(std::uint32_t depth = 1000);
Qos best_effort(std::uint32_t depth = 1000);
Qos keep_all(std::chrono::nanoseconds max_blocking_time = std::chrono::seconds(60));
Qos transient_local(Qos qos);

/// A process that writes to a file.
class Process {
 public:
  explicit Process(std::vector<std::string> words);
  ~Process();
  Process(const Process &) = delete;
  Process & operator=(const Process &) = delete;

  /// Waits until it has written this.
  bool says(const std::string & part);
  void kill();
  /// Asks it to end. \return its exit status.
  int end();
  /// Waits for an end that nobody asked for. \return its exit status, or -1.
  int wait();
  pid_t pid() const { return pid_; }
  /// What it has written to stdout and stderr.
  std::string text() const;

 private:
  std::string file_;
  pid_t pid_ = -1;
};

/// A tandem-gateway.
class GatewayProcess : public Process {
 public:
  GatewayProcess(std::uint32_t domain, const std::vector<std::string> & options);
  /// Waits until it carries.
  bool is_up() { return says("carrying topics"); }
};

/// What a gateway tells of itself.
nlohmann::json status_of(std::uint32_t domain);
/// Of one topic; null when it has none.
nlohmann::json status_of(std::uint32_t domain, const std::string & topic);
nlohmann::json status_of_service(std::uint32_t domain, const std::string & service);

/// Nodes in one context.
class Place {
 public:
  Place(const std::string & transport, std::uint32_t domain);

  template <class T = Number>
  std::shared_ptr<Publisher> publisher(const std::string & topic, const Qos & qos, const std::string & node = "p") {
    return context->create_publisher(message_type<T>(), {.node = {"/", node}, .topic = topic, .qos = qos});
  }
  template <class T = Number>
  std::shared_ptr<Subscription> subscription(const std::string & topic, const Qos & qos,
                                             const std::string & node = "s") {
    return context->create_subscription(message_type<T>(), {.node = {"/", node}, .topic = topic, .qos = qos});
  }
  /// How often a node of this name is in the graph.
  std::size_t nodes(const std::string & name) const;
  std::size_t endpoints(const std::string & topic, transport::EndpointKind kind) const;

  std::shared_ptr<Context> context;
};

class Hosts : public testing::Test {
 protected:
  /// A host with a gateway of these options.
  Place & host(std::uint32_t domain, const std::vector<std::string> & options = {});
  GatewayProcess & gateway(std::uint32_t domain) { return *gateways_.at(domain); }
  /// Somebody on the network itself.
  Place & network();
  static std::string topic(const std::string & name = "a");

 private:
  std::map<std::uint32_t, std::unique_ptr<GatewayProcess>> gateways_;
  std::map<std::uint32_t, std::unique_ptr<Place>> places_;
};

/// Until the subscription's messages can come from so many publishers, and each of those has somebody who hears it.
testing::AssertionResult joined(const std::vector<std::shared_ptr<Publisher>> & publishers,
                                const std::vector<std::shared_ptr<Subscription>> & subscriptions);

transport::PublishResult publish(Publisher & publisher, std::uint64_t value);
/// What it has now.
std::vector<std::uint64_t> take_all(Subscription & subscription);
/// Waits for so many; then for a moment for more, which there should not be.
std::vector<std::uint64_t> take(Subscription & subscription, std::size_t count);
std::vector<std::uint64_t> range(std::uint64_t first, std::uint64_t count);

}  // namespace tandem::gateway
