// Requests and replies: everybody gets the replies to its own requests, whatever becomes of others.
#include <algorithm>
#include <future>
#include <map>

#include "conformance.hpp"
#include "peer.hpp"
#include "services.hpp"

namespace conformance {
namespace {

using transport::RequestId;
using transport::ServiceClient;
using transport::ServiceServer;

class Services : public Conformance {
 protected:
  template <class T = Small>
  std::unique_ptr<ServiceClient> client(const Qos & qos = keep_last(10)) {
    return std::make_unique<ServiceClient>(*context_, service_type_of<T>(), service_options(topic(), qos));
  }
  template <class T = Small>
  std::unique_ptr<ServiceServer> server(const Qos & qos = keep_last(10)) {
    return std::make_unique<ServiceServer>(*context_, service_type_of<T>(), service_options(topic(), qos));
  }
};

testing::AssertionResult is_served(const ServiceClient & client) {
  return eventually([&] { return client.is_ready(); }) ? testing::AssertionSuccess()
                                                       : testing::AssertionFailure() << "no server was found";
}

TEST_F(Services, AreCalledWithinAProcess) {
  const auto serving = server();
  const auto calling = client();
  ASSERT_TRUE(is_served(*calling));
  for (std::uint64_t value = 0; value < 200; ++value) {
    const std::int64_t sent = send(*calling, value);
    const Sample request = take_one(*serving->requests());
    ASSERT_TRUE(request);
    EXPECT_EQ(value_of(request), value);
    EXPECT_EQ(request.info.request.sequence, sent);
    ASSERT_EQ(reply(*serving, request.info.request, value + 1), PublishResult::kOk);
    const Sample answer = take_one(*calling->replies());
    ASSERT_TRUE(answer);
    EXPECT_EQ(value_of(answer), value + 1);
    EXPECT_EQ(answer.info.request.sequence, sent);
  }
}

TEST_F(Services, AreCalledInAnotherProcess) {
  const auto calling = client();
  Peer peer({"serve", "small", topic()});
  ASSERT_TRUE(peer.says("ready"));
  ASSERT_TRUE(is_served(*calling));
  for (std::uint64_t value = 0; value < 300; ++value) {
    EXPECT_EQ(call(*calling, value), answer_to(value));
  }
  EXPECT_EQ(peer.finish(), 0);
  EXPECT_TRUE(eventually([&] { return !calling->is_ready(); })) << "the server has left";
}

TEST_F(Services, CarryStringsAndSequences) {
  const auto calling = client<Report>();
  Peer peer({"serve", "report", topic()});
  ASSERT_TRUE(peer.says("ready"));
  ASSERT_TRUE(is_served(*calling));
  for (std::uint64_t value = 0; value < 100; ++value) {
    EXPECT_EQ(call<Report>(*calling, value), answer_to(value));
  }
}

TEST_F(Services, TakeLoans) {
  const auto serving = server();
  const auto calling = client();
  ASSERT_TRUE(is_served(*calling));
  for (std::uint64_t value = 0; value < 50; ++value) {
    auto request = calling->requests().borrow();
    ASSERT_TRUE(request);
    fill(*static_cast<Small *>(request.data()), value);
    std::int64_t sent = 0;
    ASSERT_EQ(calling->send(std::move(request), sent), PublishResult::kOk);
    const Sample taken = take_one(*serving->requests());
    auto answer = serving->replies().borrow();
    ASSERT_TRUE(answer);
    fill(*static_cast<Small *>(answer.data()), value_of(taken) + 1);
    ASSERT_EQ(serving->reply(std::move(answer), taken.info.request), PublishResult::kOk);
    EXPECT_EQ(take_values(*calling->replies(), 1), range(value + 1, value + 1));
  }
}

TEST_F(Services, AnswerInAnyOrder) {
  const auto serving = server();
  const auto calling = client();
  ASSERT_TRUE(is_served(*calling));
  std::map<std::int64_t, std::uint64_t> asked;
  std::vector<RequestId> ids;
  for (std::uint64_t value = 0; value < 8; ++value) {
    asked[send(*calling, value)] = value;
    const Sample request = take_one(*serving->requests());
    ids.push_back(request.info.request);
  }
  EXPECT_EQ(asked.size(), 8u) << "each request has a number of its own";
  std::reverse(ids.begin(), ids.end());
  for (const RequestId & id : ids) {
    ASSERT_EQ(reply(*serving, id, asked.at(id.sequence) + 1), PublishResult::kOk);
  }
  for (std::size_t i = 0; i < ids.size(); ++i) {
    const Sample answer = take_one(*calling->replies());
    EXPECT_EQ(value_of(answer), asked.at(answer.info.request.sequence) + 1);
    asked.erase(answer.info.request.sequence);
  }
  EXPECT_TRUE(asked.empty());
}

TEST_F(Services, WakeWhoWaits) {
  const auto calling = client();
  Peer peer({"serve", "small", topic()});
  ASSERT_TRUE(peer.says("ready"));
  ASSERT_TRUE(is_served(*calling));
  const auto set = context_->create_wait_set();
  set->attach(calling->replies());
  for (std::uint64_t value = 0; value < 100; ++value) {
    send(*calling, value);
    Sample answer;
    while (!answer) {
      ASSERT_TRUE(set->wait(patience));
      answer = calling->replies()->take();
    }
    EXPECT_EQ(value_of(answer), answer_to(value));
  }
}

// What is for others neither comes nor counts as lost.
TEST_F(Services, GiveEachOfManyClientsItsOwnReplies) {
  constexpr std::uint64_t kClients = 20;
  constexpr std::uint64_t kCalls = 100;
  Peer peer({"serve", "small", topic()});
  ASSERT_TRUE(peer.says("ready"));
  std::vector<std::future<void>> threads;
  for (std::uint64_t number = 0; number < kClients; ++number) {
    threads.push_back(std::async(std::launch::async, [this, number] {
      const auto calling = client();
      ASSERT_TRUE(is_served(*calling));
      for (std::uint64_t i = 0; i < kCalls; ++i) {
        const std::uint64_t value = number * kCalls + i;
        ASSERT_EQ(call(*calling, value), answer_to(value));
      }
      EXPECT_EQ(calling->replies()->lost(), 0u);
    }));
  }
  for (auto & thread : threads) {
    thread.get();
  }
}

TEST_F(Services, GoOnBesideAClientThatTakesNothing) {
  Peer peer({"serve", "small", topic()});
  ASSERT_TRUE(peer.says("ready"));
  const auto idle = client();
  const auto calling = client();
  ASSERT_TRUE(is_served(*idle));
  ASSERT_TRUE(is_served(*calling));
  for (std::uint64_t value = 0; value < 1000; ++value) {
    if (value < 5) {
      send(*idle, 1000 + value);
    }
    ASSERT_EQ(call(*calling, value), answer_to(value));
  }
}

TEST_F(Services, GoOnWhenAClientIsKilled) {
  NEEDS(Feature::kKills);
  Peer serving({"serve", "small", topic()});
  ASSERT_TRUE(serving.says("ready"));
  const auto calling = client();
  ASSERT_TRUE(is_served(*calling));
  Peer other({"call", topic()});
  ASSERT_TRUE(other.says("calling"));
  for (std::uint64_t value = 0; value < 200; ++value) {
    if (value == 100) {
      other.kill();
    }
    ASSERT_EQ(call(*calling, value), answer_to(value));
  }
}

TEST_F(Services, ReplyToAClientThatHasLeft) {
  const auto serving = server();
  auto leaving = client();
  ASSERT_TRUE(is_served(*leaving));
  send(*leaving, 1);
  const Sample request = take_one(*serving->requests());
  leaving.reset();
  EXPECT_TRUE(eventually([&] { return serving->replies().subscription_count() == 0; }));
  EXPECT_EQ(reply(*serving, request.info.request, 2), PublishResult::kOk);
  const auto calling = client();
  ASSERT_TRUE(is_served(*calling));
  send(*calling, 3);
  EXPECT_EQ(value_of(take_one(*serving->requests())), 3u);
  EXPECT_FALSE(calling->replies()->take());
}

TEST_F(Services, ChangeToAnotherServerWhenTheirsIsKilled) {
  NEEDS(Feature::kKills);
  const auto calling = client();
  for (std::uint64_t round = 0; round < 3; ++round) {
    Peer peer({"serve", "small", topic()});
    ASSERT_TRUE(peer.says("ready"));
    ASSERT_TRUE(is_served(*calling));
    for (std::uint64_t value = 0; value < 20; ++value) {
      ASSERT_EQ(call(*calling, value), answer_to(value));
    }
    peer.kill();
    ASSERT_TRUE(eventually([&] { return !calling->is_ready(); }));
  }
}

TEST_F(Services, AreInTheGraph) {
  NEEDS(Feature::kGraph);
  const auto serving = server();
  const auto seen = [this](EndpointKind kind, const std::string & channel) {
    const auto graph = context_->graph();
    return std::count_if(graph.endpoints.begin(), graph.endpoints.end(),
                         [&](const auto & endpoint) { return endpoint.kind == kind && endpoint.topic == channel; });
  };
  EXPECT_TRUE(eventually([&] { return seen(EndpointKind::kSubscription, transport::request_channel(topic())) == 1; }));
  EXPECT_TRUE(eventually([&] { return seen(EndpointKind::kPublisher, transport::reply_channel(topic())) == 1; }));
}

TEST(ServiceNames, AreTwoChannels) {
  EXPECT_EQ(transport::request_channel("/a/b"), "rq/a/bRequest");
  EXPECT_EQ(transport::reply_channel("/a/b"), "rr/a/bReply");
  EXPECT_EQ(transport::service_of("rq/a/bRequest"), "/a/b");
  EXPECT_EQ(transport::service_of("rr/a/bReply"), "/a/b");
  EXPECT_EQ(transport::channel_of("rq/a/bRequest"), transport::Channel::kRequest);
  EXPECT_EQ(transport::channel_of("rr/a/bReply"), transport::Channel::kReply);
  for (const char * name : {"/rq/aRequest", "rqaRequest", "/a", "rq", "", "rq/a", "rr/aRequest"}) {
    EXPECT_EQ(transport::service_of(name), std::nullopt) << name;
  }
  EXPECT_EQ(transport::service_type_of("p/srv/T_Request"), "p/srv/T");
  EXPECT_EQ(transport::service_type_of("p/srv/T_Response"), "p/srv/T");
  EXPECT_EQ(transport::service_type_of("p/msg/T"), std::nullopt);
}

}  // namespace
}  // namespace conformance
