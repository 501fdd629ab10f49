// Services between hosts: one request, one reply, for whoever has asked; and what becomes of them when servers, clients
// and gateways come and go.
#include <atomic>
#include <future>
#include <set>
#include <thread>

#include "example_interfaces/srv/add_two_ints.hpp"
#include "example_interfaces/srv/set_bool.hpp"
#include "forwarding/calls.hpp"
#include "support.hpp"
#include "tandem/service.hpp"

namespace tandem::gateway {
namespace {

using transport::EndpointKind;
using transport::PublishResult;
using transport::RequestId;
using transport::ServiceClient;
using transport::ServiceServer;
using Add = example_interfaces::srv::AddTwoInts;
using Switch = example_interfaces::srv::SetBool;

class Services : public Hosts {
 protected:
  template <class T = Add>
  std::unique_ptr<ServiceClient> client(Place & place, const std::string & name = topic(), const Qos & qos = {}) {
    return std::make_unique<ServiceClient>(*place.context, service_type<T>(),
                                           transport::ServiceOptions{{"/", "client"}, name, qos});
  }
};

/// Adds, in a thread of its own. A bias tells servers apart.
class Adder {
 public:
  explicit Adder(Place & place, const std::string & service, std::int64_t bias = 0)
      : server_(*place.context, service_type<Add>(), {{"/", "server"}, service, {}}),
        waiting_(place.context->create_wait_set()),
        thread_([this, bias] { run(bias); }) {}
  ~Adder() {
    is_over_ = true;
    waiting_->wake();
    thread_.join();
  }
  /// Without those of negative numbers, which ask whether it is there.
  std::size_t requests() const { return requests_; }
  bool was_asked() const { return was_asked_; }

 private:
  void run(std::int64_t bias) {
    waiting_->attach(server_.requests());
    while (!is_over_) {
      waiting_->wait(std::chrono::milliseconds(100));
      while (const auto sample = server_.requests()->take()) {
        const auto & request = *static_cast<const Add::Request *>(sample.message);
        Add::Response response;
        response.sum = request.a + request.b + bias;
        if (request.a < 0) {
          was_asked_ = true;
        } else {
          ++requests_;
        }
        EXPECT_EQ(server_.reply(static_cast<const void *>(&response), sample.info.request), PublishResult::kOk);
      }
    }
  }

  ServiceServer server_;
  const std::shared_ptr<transport::WaitSet> waiting_;
  std::atomic<bool> is_over_ = false;
  std::atomic<std::size_t> requests_ = 0;
  std::atomic<bool> was_asked_ = false;
  std::thread thread_;
};

testing::AssertionResult is_served(const ServiceClient & client, bool wanted = true) {
  return eventually([&] { return client.is_ready() == wanted; })
             ? testing::AssertionSuccess()
             : testing::AssertionFailure() << (wanted ? "no server" : "still a server");
}

std::int64_t send(ServiceClient & client, std::int64_t a, std::int64_t b) {
  Add::Request request;
  request.a = a;
  request.b = b;
  std::int64_t sequence = 0;
  EXPECT_EQ(client.send(static_cast<const void *>(&request), sequence), PublishResult::kOk);
  return sequence;
}

/// Sums of all replies to this request that are there with the first.
std::vector<std::int64_t> replies(ServiceClient & client, std::int64_t sequence) {
  std::vector<std::int64_t> sums;
  const auto take = [&] {
    while (const auto sample = client.replies()->take()) {
      if (sample.info.request.sequence == sequence) {
        sums.push_back(static_cast<const Add::Response *>(sample.message)->sum);
      }
    }
    return !sums.empty();
  };
  EXPECT_TRUE(eventually(take)) << "no reply";
  return sums;
}

std::int64_t call(ServiceClient & client, std::int64_t a, std::int64_t b) {
  const auto sums = replies(client, send(client, a, b));
  return sums.empty() ? -1 : sums.front();
}

std::string peer_transport(std::uint32_t domain) {
  return domain == kNetworkDomain ? "rmw_unixsocket_cpp" : "rmw_tandem_cpp";
}

std::unique_ptr<Process> peer(const std::string & role, std::uint32_t domain, const std::string & service) {
  return std::make_unique<Process>(
      std::vector<std::string>{SERVICE_PEER, role, peer_transport(domain), std::to_string(domain), service});
}

TEST_F(Services, AreCalledWhereverTheServerIs) {
  struct Pair {
    Place & server;
    Place & client;
  };
  int number = 0;
  for (const auto & [server, caller] :
       {Pair{host(81), network()}, Pair{network(), host(81)}, Pair{host(81), host(82)}}) {
    const std::string name = topic("s" + std::to_string(++number));
    const Adder adder(server, name);
    const auto calling = client(caller, name);
    ASSERT_TRUE(is_served(*calling)) << number;
    for (std::int64_t i = 0; i < 100; ++i) {
      ASSERT_EQ(call(*calling, i, 1000), i + 1000);
    }
    EXPECT_EQ(adder.requests(), 100U);
  }
}

TEST_F(Services, AreInTheStatus) {
  const Adder adder(host(81), topic());
  const auto calling = client(network());
  ASSERT_TRUE(is_served(*calling));
  for (std::int64_t i = 0; i < 100; ++i) {
    ASSERT_EQ(call(*calling, i, 1), i + 1);
  }
  const auto status = status_of_service(81, topic());
  ASSERT_FALSE(status.is_null());
  EXPECT_EQ(status["type"], "example_interfaces/srv/AddTwoInts");
  EXPECT_EQ(status["server"], "local");
  EXPECT_EQ(status["requests"], 100);
  EXPECT_EQ(status["replies"], 100);
  EXPECT_EQ(status["bytes"], 100 * (4 + 16 + 4 + 8));
  EXPECT_EQ(status["lost"], 0);
  EXPECT_EQ(status["waiting"], 0);
  EXPECT_EQ(status["clients"], 1);
  const auto told = [](const std::string & format) {
    Process program({GATEWAY, "--status", "--domain", "81", format});
    EXPECT_EQ(program.wait(), 0);
    return program.text();
  };
  EXPECT_NE(
      told("--prometheus").find("requests_total{domain=\"81\",service=\"" + topic() + "\",server=\"local\"} 100\n"),
      std::string::npos);
  EXPECT_NE(told("--status").find("here\n"), std::string::npos) << "the table";
}

TEST_F(Services, CarryStrings) {
  ServiceServer server(*host(81).context, service_type<Switch>(), {{"/", "server"}, topic(), {}});
  const auto calling = client<Switch>(host(82));
  ASSERT_TRUE(is_served(*calling));
  Switch::Request request;
  request.data = true;
  std::int64_t sequence = 0;
  ASSERT_EQ(calling->send(static_cast<const void *>(&request), sequence), PublishResult::kOk);
  transport::Sample asked;
  ASSERT_TRUE(eventually([&] { return static_cast<bool>(asked = server.requests()->take()); }));
  EXPECT_TRUE(static_cast<const Switch::Request *>(asked.message)->data);
  Switch::Response response;
  response.message = std::string(300'000, 'x');
  ASSERT_EQ(server.reply(static_cast<const void *>(&response), asked.info.request), PublishResult::kOk);
  transport::Sample reply;
  ASSERT_TRUE(eventually([&] { return static_cast<bool>(reply = calling->replies()->take()); }));
  EXPECT_EQ(reply.info.request.sequence, sequence);
  EXPECT_EQ(static_cast<const Switch::Response *>(reply.message)->message, response.message);
}

TEST_F(Services, AreReadyWhileTheirServerIsThere) {
  const auto calling = client(host(82));
  const auto remote = client(network());
  host(81);
  for (int round = 0; round < 3; ++round) {
    EXPECT_FALSE(calling->is_ready() || remote->is_ready());
    {
      const Adder adder(host(81), topic());
      ASSERT_TRUE(is_served(*calling));
      ASSERT_TRUE(is_served(*remote));
      EXPECT_EQ(call(*calling, round, 1), round + 1);
      EXPECT_EQ(call(*remote, round, 2), round + 2);
    }
    ASSERT_TRUE(is_served(*calling, false));
    ASSERT_TRUE(is_served(*remote, false));
    EXPECT_TRUE(eventually([&] { return status_of_service(82, topic()).is_null(); }));
  }
}

TEST_F(Services, MoveFromOneSideToTheOther) {
  const auto here = client(host(81));
  const auto there = client(network());
  for (Place * place : {&host(81), &network(), &host(81)}) {
    const Adder adder(*place, topic());
    for (const auto & one : {here.get(), there.get()}) {
      ASSERT_TRUE(is_served(*one));
      EXPECT_EQ(call(*one, 1, 2), 3);
    }
  }
}

TEST_F(Services, AKilledServerIsReplaced) {
  const auto calling = client(host(82));
  host(81);
  for (const std::uint32_t domain : {81U, kNetworkDomain}) {
    const auto mute = peer("mute", domain, topic());
    ASSERT_TRUE(is_served(*calling));
    send(*calling, 1, 1);
    ASSERT_TRUE(mute->says("taken"));
    mute->kill();
    ASSERT_TRUE(is_served(*calling, false));
    const auto serving = peer("serve", domain, topic());
    ASSERT_TRUE(is_served(*calling));
    EXPECT_EQ(call(*calling, 3, 4), 7);
    serving->kill();
    ASSERT_TRUE(is_served(*calling, false));
  }
}

TEST_F(Services, KilledClientsHarmNobody) {
  const Adder adder(host(81), topic());
  const auto calling = client(host(82));
  ASSERT_TRUE(is_served(*calling));
  for (const std::uint32_t domain : {82U, kNetworkDomain}) {
    const auto other = peer("call", domain, topic());
    ASSERT_TRUE(other->says("right"));
    for (std::int64_t i = 0; i < 100; ++i) {
      if (i == 50) {
        other->kill();
      }
      ASSERT_EQ(call(*calling, i, 1), i + 1);
    }
  }
  EXPECT_EQ(call(*calling, 1, 1), 2);
  EXPECT_TRUE(eventually([&] { return status_of_service(81, topic())["clients"] == 1; })) << "the other gateway's";
}

TEST_F(Services, TwentyClientsGetTheirOwnReplies) {
  constexpr std::int64_t kClients = 20;
  constexpr std::int64_t kCalls = 100;
  const Adder adder(host(81), topic());
  Place * const places[] = {&host(82), &network()};
  std::vector<std::future<void>> threads;
  for (std::int64_t number = 0; number < kClients; ++number) {
    threads.push_back(std::async(std::launch::async, [this, &places, number] {
      const auto calling = client(*places[number % 2]);
      ASSERT_TRUE(is_served(*calling));
      for (std::int64_t i = 0; i < kCalls; ++i) {
        ASSERT_EQ(call(*calling, number * kCalls, i), number * kCalls + i);
      }
    }));
  }
  for (auto & thread : threads) {
    thread.get();
  }
  EXPECT_EQ(adder.requests(), static_cast<std::size_t>(kClients * kCalls));
  EXPECT_EQ(status_of_service(81, topic())["lost"], 0);
  EXPECT_EQ(status_of_service(82, topic())["lost"], 0);
}

TEST_F(Services, RequestsWithoutAReplyAreForgotten) {
  const auto mute = peer("mute", 81, topic());
  auto calling = client(network());
  host(81);
  ASSERT_TRUE(is_served(*calling));
  constexpr auto kBound = static_cast<std::int64_t>(Calls::kMaxCalls);
  for (std::int64_t i = 0; i < kBound + 104; ++i) {
    send(*calling, i, 1);
    if (i % 100 == 99) {  // not more at a time than queues hold
      ASSERT_TRUE(eventually([&] { return status_of_service(81, topic())["requests"] == i + 1; }));
    }
  }
  EXPECT_EQ(status_of_service(81, topic())["waiting"], kBound);
  EXPECT_GE(status_of_service(81, topic())["lost"], 104);
  calling.reset();
  EXPECT_TRUE(eventually([&] { return status_of_service(81, topic())["waiting"] == 0; })) << "nobody asks any more";
}

TEST_F(Services, OfThisHostComeFirst) {
  const auto here = client(host(81));
  const auto there = client(network());
  const Adder remote(network(), topic(), 1000);
  ASSERT_TRUE(is_served(*here));
  ASSERT_EQ(call(*here, 1, 2), 1003);
  {
    const Adder local(host(81), topic());
    // It is offered there too, once the other's is not offered here any more.
    ASSERT_TRUE(eventually([&] { return status_of_service(81, topic())["server"] == "local"; }));
    ASSERT_TRUE(is_served(*here));
    const std::size_t before = remote.requests();
    for (std::int64_t i = 0; i < 20; ++i) {
      ASSERT_EQ(replies(*here, send(*here, i, 1)), std::vector{i + 1});
    }
    EXPECT_EQ(remote.requests(), before);
    EXPECT_EQ(status_of_service(81, topic())["requests"], 0) << "nothing has left this host";
    // On the network, as in ROS 2, all servers get a request.
    ASSERT_TRUE(eventually([&] { return there->requests().subscription_count() == 2; }));
    send(*there, 1, 1);
    EXPECT_TRUE(eventually([&] { return remote.requests() == before + 1 && local.requests() == 21; }));
  }
  ASSERT_TRUE(eventually([&] { return status_of_service(81, topic())["server"] == "network"; }));
  ASSERT_TRUE(is_served(*here));
  EXPECT_EQ(call(*here, 1, 2), 1003);
}

TEST_F(Services, AnswerCallsAlthoughAServerOfThisHostComes) {
  ServiceServer slow(*network().context, service_type<Add>(), {{"/", "server"}, topic(), {}});
  const auto calling = client(host(81));
  ASSERT_TRUE(is_served(*calling));
  const std::int64_t sequence = send(*calling, 1, 2);
  transport::Sample asked;
  ASSERT_TRUE(eventually([&] { return static_cast<bool>(asked = slow.requests()->take()); }));
  const Adder local(host(81), topic());
  ASSERT_TRUE(eventually([&] { return calling->requests().subscription_count() == 2; }));
  Add::Response response;
  response.sum = 3;
  ASSERT_EQ(slow.reply(static_cast<const void *>(&response), asked.info.request), PublishResult::kOk);
  EXPECT_EQ(replies(*calling, sequence), std::vector<std::int64_t>{3});
  EXPECT_TRUE(eventually([&] { return status_of_service(81, topic())["server"] == "local"; }));
}

TEST_F(Services, ThreeHostsWithoutLoops) {
  const Adder first(host(81), topic());
  const Adder second(host(82), topic());
  const auto calling = client(host(83));
  ASSERT_TRUE(is_served(*calling));
  // The gateway's client may match one server before the other.
  ASSERT_TRUE(eventually([&] {
    call(*calling, -1, 0);
    return first.was_asked() && second.was_asked();
  }));
  for (std::int64_t i = 0; i < 50; ++i) {
    ASSERT_EQ(replies(*calling, send(*calling, i, 1)), std::vector{i + 1});
  }
  EXPECT_TRUE(eventually([&] { return first.requests() + second.requests() == 100; }));
  for (const std::uint32_t domain : {81U, 82U}) {
    EXPECT_EQ(status_of_service(domain, topic())["server"], "local");
  }
  EXPECT_EQ(status_of_service(83, topic())["server"], "network");
  EXPECT_EQ(status_of_service(83, topic())["replies"], status_of_service(83, topic())["requests"]);
  // Each host has its own alone.
  for (Place * place : {&host(81), &host(82)}) {
    EXPECT_EQ(place->endpoints(transport::request_channel(topic()), EndpointKind::kSubscription), 1U);
  }
}

TEST_F(Services, BearTheNamesOfTheirNodes) {
  const Adder adder(host(81), topic());
  const auto calling = client(host(82));
  ASSERT_TRUE(is_served(*calling));
  ASSERT_EQ(call(*calling, 1, 2), 3);
  for (const auto & endpoint : host(82).context->graph().endpoints) {
    if (endpoint.topic == transport::request_channel(topic()) && endpoint.kind == EndpointKind::kSubscription) {
      EXPECT_EQ(endpoint.node.name, "server");
      EXPECT_EQ(endpoint.type_name, "example_interfaces/srv/AddTwoInts_Request");
    }
  }
  for (const auto & endpoint : host(81).context->graph().endpoints) {
    if (endpoint.topic == transport::request_channel(topic()) && endpoint.kind == EndpointKind::kPublisher) {
      EXPECT_EQ(endpoint.node.name, "client");
    }
  }
}

TEST_F(Services, AreCalledOnlyWhileThereAreClients) {
  const Adder adder(host(81), topic());
  const auto callers = [this] {
    return host(81).endpoints(transport::request_channel(topic()), EndpointKind::kPublisher);
  };
  auto calling = client(network());
  ASSERT_TRUE(is_served(*calling));
  EXPECT_TRUE(eventually([&] { return callers() == 1; }));
  calling.reset();
  EXPECT_TRUE(eventually([&] { return callers() == 0; }));
  EXPECT_EQ(network().endpoints(transport::reply_channel(topic()), EndpointKind::kPublisher), 1U);
}

TEST_F(Services, KeepTheirQos) {
  const ServiceServer server(*host(81).context, service_type<Add>(), {{"/", "server"}, topic(), best_effort()});
  ASSERT_TRUE(eventually(
      [&] { return network().endpoints(transport::request_channel(topic()), EndpointKind::kSubscription) == 1; }));
  for (const auto & endpoint : network().context->graph().endpoints) {
    if (transport::service_of(endpoint.topic) == topic()) {
      EXPECT_EQ(endpoint.qos.reliability, transport::Reliability::kBestEffort);
    }
  }
}

TEST_F(Services, DeniedOnesAreNotCarried) {
  host(81, {"--deny", "*/b"});
  const Adder a(host(81), topic("a"));
  const Adder b(host(81), topic("b"));
  const auto offers = [this](const std::string & name) {
    return network().endpoints(transport::request_channel(topic(name)), EndpointKind::kSubscription);
  };
  ASSERT_TRUE(eventually([&] { return offers("a") == 1; }));
  EXPECT_EQ(offers("b"), 0U);
}

TEST_F(Services, UnknownAndOtherTypesCostALine) {
  ServiceType unknown = service_type<Add>();
  MessageType request = *unknown.request;
  request.name = "absent_msgs/srv/Thing_Request";
  unknown.request = &request;
  ServiceType changed = service_type<Add>();
  changed.hash[0] ^= 1;
  host(81);
  const ServiceServer thing(*host(81).context, unknown, {{"/", "n"}, topic("unknown"), {}});
  const Adder adder(host(81), topic());
  const auto calling = client(network());
  ASSERT_TRUE(is_served(*calling));
  const ServiceServer other(*host(81).context, changed, {{"/", "n"}, topic(), {}});
  const auto has = [this](const std::string & line) { return gateway(81).text().find(line) != std::string::npos; };
  EXPECT_TRUE(
      eventually([&] { return has("service '" + topic("unknown") + "' is not carried: the type absent_msgs"); }));
  EXPECT_TRUE(eventually([&] { return has("its definition of example_interfaces/srv/AddTwoInts_Request differs"); }));
  EXPECT_EQ(call(*calling, 1, 2), 3);
}

TEST_F(Services, AKilledGatewayIsReplaced) {
  const Adder adder(host(81), topic());
  const auto calling = client(network());
  ASSERT_TRUE(is_served(*calling));
  EXPECT_EQ(call(*calling, 1, 2), 3);
  gateway(81).kill();
  ASSERT_TRUE(is_served(*calling, false));
  GatewayProcess second(81, {});
  ASSERT_TRUE(is_served(*calling));
  EXPECT_EQ(call(*calling, 3, 4), 7);
  EXPECT_EQ(second.end(), 0);
}

TEST(Calls, KnowWhoAskedUntilTheReply) {
  Calls calls;
  RequestId asker;
  for (std::int64_t i = 1; i <= 3; ++i) {
    asker.sequence = 10 * i;
    calls.add(asker, [i](std::int64_t & sequence) {
      sequence = i;
      return i == 3 ? PublishResult::kTimeout : PublishResult::kOk;
    });
  }
  EXPECT_EQ(calls.size(), 2U) << "what was not sent has no reply";
  EXPECT_EQ(calls.take(2)->sequence, 20);
  EXPECT_FALSE(calls.take(2)) << "one reply";
  EXPECT_FALSE(calls.take(3));
  EXPECT_EQ(calls.take(1)->sequence, 10);
}

TEST(Calls, TheOldestAreForgotten) {
  Calls calls;
  const auto count = static_cast<std::int64_t>(Calls::kMaxCalls);
  for (std::int64_t i = 0; i < count + 2; ++i) {
    calls.add({}, [i](std::int64_t & sequence) {
      sequence = i;
      return PublishResult::kOk;
    });
  }
  EXPECT_EQ(calls.trim(), 2U);
  EXPECT_FALSE(calls.take(1));
  EXPECT_TRUE(calls.take(2));
  calls.clear();
  EXPECT_EQ(calls.size(), 0U);
}

}  // namespace
}  // namespace tandem::gateway
