// Who is matched with whom, what is said when they are not, and what the graph shows.
#include <gtest/gtest.h>

#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <memory>
#include <string>
#include <vector>

#include "station.hpp"

namespace tandem::test {
namespace {

struct Difference {
  const char * name;
  EndpointOptions publisher;
  EndpointOptions subscription;
  std::vector<std::string> words;  ///< that the warning must contain, besides the topic
};

void PrintTo(const Difference & difference, std::ostream * out) { *out << difference.name; }

class Mismatch : public testing::TestWithParam<Difference> {};

INSTANTIATE_TEST_SUITE_P(
    , Mismatch,
    testing::Values(Difference{"TypeName", {.type = "a/msg/A"}, {.type = "a/msg/B"}, {"a/msg/A", "a/msg/B"}},
                    Difference{"Hash", {.hash = 17}, {.hash = 34}, {"test/msg/Words", "RIHS01_11", "RIHS01_22"}},
                    Difference{"Abi", {.abi = 111}, {.abi = 222}, {"test/msg/Words", "111", "222"}},
                    Difference{"Reliability", {.best_effort = true}, {}, {"RELIABILITY", "BEST_EFFORT", "RELIABLE"}},
                    Difference{"Durability", {}, {.transient = true}, {"DURABILITY", "VOLATILE", "TRANSIENT_LOCAL"}}),
    [](const auto & info) { return info.param.name; });

TEST_P(Mismatch, IsToldOnceOnBothSidesAndNothingPasses) {
  const Folder folder;
  const LogCapture log;
  Station a(Place::kHere);
  Station b(Place::kElsewhere);
  ASSERT_TRUE(a.join(0));
  ASSERT_TRUE(b.join(0));
  ASSERT_TRUE(a.create_publisher("p", "/camera/image", GetParam().publisher));
  ASSERT_TRUE(b.create_subscription("s", "/camera/image", GetParam().subscription));
  ASSERT_TRUE(b.create_subscription("s2", "/camera/image", GetParam().subscription));
  auto words = GetParam().words;
  words.push_back("/camera/image");
  EXPECT_TRUE(wait_until([&] { return log.count(words) == 1; })) << testing::PrintToString(log.lines());
  EXPECT_TRUE(wait_until([&] { return !b.log().empty(); }));
  ASSERT_TRUE(a.settle());
  ASSERT_TRUE(a.publish("p", 10, 64));
  EXPECT_TRUE(b.take("s", 10).empty());
  EXPECT_EQ(a.matched("p"), 0U);
  EXPECT_EQ(b.matched("s"), 0U);
  const auto theirs = b.log();
  ASSERT_EQ(theirs.size(), 1U) << testing::PrintToString(theirs);
  for (const std::string & word : words) {
    EXPECT_NE(theirs[0].find(word), std::string::npos) << word << " in " << theirs[0];
  }
  EXPECT_EQ(log.lines().size(), 1U);
}

TEST(Matching, LeavesOthersOfTheTopicAlone) {
  const Folder folder;
  const LogCapture log;
  User user;
  ASSERT_TRUE(user.join(0));
  ASSERT_TRUE(user.create_publisher("p", "topic"));
  ASSERT_TRUE(user.create_subscription("good", "topic"));
  ASSERT_TRUE(user.create_subscription("bad", "topic", {.hash = 1}));
  ASSERT_TRUE(user.create_subscription("elsewhere", "topic2"));
  ASSERT_TRUE(user.settle());
  ASSERT_TRUE(wait_until([&] { return user.matched("good") == 1; }));
  ASSERT_TRUE(user.publish("p", 3, 64));
  EXPECT_TRUE(user.await("good", 3));
  EXPECT_TRUE(user.take("bad", 3).empty());
  EXPECT_TRUE(user.take("elsewhere", 3).empty());
}

TEST(Matching, LeavesOutTheOwnProcessWhenAsked) {
  const Folder folder;
  Station a(Place::kHere);
  Station b(Place::kElsewhere);
  ASSERT_TRUE(a.join(0));
  ASSERT_TRUE(b.join(0));
  ASSERT_TRUE(a.create_subscription("s", "topic", {.others_only = true}));
  ASSERT_TRUE(a.create_publisher("p", "topic"));
  ASSERT_TRUE(b.create_publisher("p", "topic"));
  ASSERT_TRUE(b.settle());
  ASSERT_TRUE(wait_until([&] { return a.matched("s") == 1 && b.matched("p") == 1; }));
  EXPECT_EQ(a.matched("p"), 0U);
  ASSERT_TRUE(a.publish("p", 3, 64));
  EXPECT_TRUE(a.take("s", 3).empty());
  ASSERT_TRUE(b.publish("p", 3, 64));
  EXPECT_TRUE(a.await("s", 3));
}

TEST(Matching, KeepsDomainsApart) {
  const Folder folder;
  Station a(Place::kHere);
  Station b(Place::kElsewhere);
  ASSERT_TRUE(a.join(1));
  ASSERT_TRUE(b.join(2));
  ASSERT_TRUE(a.create_publisher("p", "topic", {.transient = true}));
  ASSERT_TRUE(a.publish("p", 3, 64));
  ASSERT_TRUE(b.create_subscription("s", "topic", {.transient = true}));
  ASSERT_TRUE(a.settle());
  ASSERT_TRUE(b.settle());
  EXPECT_EQ(b.matched("s"), 0U);
  EXPECT_EQ(a.graph_size(), (GraphSize{1, 1, 0}));
  EXPECT_EQ(b.graph_size(), (GraphSize{1, 1, 0}));
}

TEST(Matching, RefusesWhatIsWrongBySayingIt) {
  const Folder folder;
  User user;
  EXPECT_TRUE(user.join(233).is(JoinError::kBadDomain));
  ASSERT_TRUE(user.join(232));
  for (const auto create : {&User::create_publisher, &User::create_subscription}) {
    const auto made = [&](const std::string & topic, const EndpointOptions & options = {}) {
      return (user.*create)("x", topic, options);
    };
    const Outcome deep = made("/topic", {.depth = 16001});
    EXPECT_TRUE(deep.is(CreateError::kBadQos)) << deep;
    EXPECT_TRUE(deep.says("/topic")) << deep;
    EXPECT_TRUE(made("topic", {.depth = 0}).is(CreateError::kBadQos));
    EXPECT_TRUE(made(std::string(1001, 'a')).is(CreateError::kBadName));
    EXPECT_TRUE(made(std::string(1000, 'a')));
    EXPECT_TRUE(made("").is(CreateError::kBadName));
  }
  EXPECT_TRUE(user.create_publisher("x", "topic", {.keep_all = true, .samples = 0}).is(CreateError::kBadQos));
  EXPECT_TRUE(user.create_publisher("x", "topic", {.keep_all = true, .samples = 16001}).is(CreateError::kBadQos));
  EXPECT_TRUE(user.create_publisher("x", "topic", {.keep_all = true, .samples = 16000}));
}

/// More changes than there are ticks of housekeeping in the time: each is told of by itself.
TEST(Graph, TellsWhoWatchesItOfEachChange) {
  const Folder folder;
  const auto participant = Participant::join(0);
  ASSERT_TRUE(participant);
  std::atomic<std::uint64_t> seen = 0;
  auto watcher = participant->watch_graph([&] { seen = participant->graph_version(); });
  const auto is_seen = [&] { return seen == participant->graph_version(); };
  Station other(Place::kElsewhere);
  ASSERT_TRUE(other.join(0));
  const auto end = std::chrono::steady_clock::now() + std::chrono::seconds(60);
  for (int i = 0; i < 200; ++i) {
    const std::uint64_t before = participant->graph_version();
    ASSERT_TRUE(other.create_publisher("p", "/there"));
    EXPECT_NE(participant->graph_version(), before);
    ASSERT_TRUE(wait_until(is_seen));
    other.close("p");
    ASSERT_TRUE(wait_until(is_seen));
    ASSERT_LT(std::chrono::steady_clock::now(), end) << i << " changes so far";
  }
  const auto node = participant->add_node({"/", "own"});
  ASSERT_TRUE(node);
  EXPECT_TRUE(is_seen()) << "a change of its own is told of at once";
  participant->remove_node(*node);
  EXPECT_TRUE(is_seen());
  other.child().kill();
  EXPECT_TRUE(wait_until([&] { return participant->graph().processes.size() == 1 && is_seen(); }));

  const std::weak_ptr<Notifier> gone = watcher;
  watcher.reset();
  ASSERT_TRUE(wait_until([&] { return gone.expired(); })) << "it is being told";
  const std::uint64_t last = seen;
  ASSERT_TRUE(participant->add_node({"/", "own"}));
  EXPECT_EQ(seen, last) << "nobody watches any more";
}

TEST(Graph, ShowsProcessesNodesAndEndpoints) {
  const Folder folder;
  Station b(Place::kElsewhere);
  ASSERT_TRUE(b.join(0));
  ASSERT_TRUE(b.create_publisher("p", "/there",
                                 {.depth = 7,
                                  .best_effort = true,
                                  .transient = true,
                                  .hash = 5,
                                  .abi = 9,
                                  .node = "talker",
                                  .user_data = "its own"}));
  const auto participant = Participant::join(0);
  ASSERT_TRUE(participant);
  const std::uint64_t before = participant->graph_version();
  const auto node = participant->add_node({"/robot", "driver"});
  ASSERT_TRUE(node);
  EXPECT_NE(participant->graph_version(), before);
  const auto subscription =
      participant->create_subscription(subscription_options("/here", {.keep_all = true, .user_data = "ours"}));
  ASSERT_TRUE(subscription);
  Graph graph;
  ASSERT_TRUE(wait_until([&] {
    graph = participant->graph();
    return graph.processes.size() == 2;
  }));
  if (graph.processes[0].pid != getpid()) {
    std::swap(graph.processes[0], graph.processes[1]);
  }
  const ProcessInfo & own = graph.processes[0];
  const ProcessInfo & other = graph.processes[1];
  EXPECT_NE(own.executable.find("core_integration_test"), std::string::npos) << own.executable;
  ASSERT_EQ(own.nodes.size(), 1U);
  EXPECT_EQ(own.nodes[0], (NodeName{"/robot", "driver"}));
  ASSERT_EQ(own.endpoints.size(), 1U);
  EXPECT_EQ(own.endpoints[0].id, (*subscription)->info().id);
  EXPECT_EQ(own.endpoints[0].kind, EndpointKind::kSubscription);
  EXPECT_EQ(own.endpoints[0].qos.history, History::kKeepAll);
  EXPECT_EQ(own.endpoints[0].user_data, "ours");
  EXPECT_EQ(other.pid, b.child().pid());
  ASSERT_EQ(other.endpoints.size(), 1U);
  const EndpointInfo & there = other.endpoints[0];
  EXPECT_EQ(there.kind, EndpointKind::kPublisher);
  EXPECT_EQ(there.topic, "/there");
  EXPECT_EQ(there.type, publisher_options("/there", {.hash = 5, .abi = 9}).type);
  EXPECT_EQ(there.qos.depth, 7U);
  EXPECT_EQ(there.qos.durability, Durability::kTransientLocal);
  EXPECT_EQ(there.qos.reliability, Reliability::kBestEffort);
  EXPECT_EQ(there.node, (NodeName{"/", "talker"}));
  EXPECT_EQ(there.user_data, "its own");
  participant->remove_node(*node);
  const auto nodes = [&] {
    std::size_t count = 0;
    for (const ProcessInfo & process : participant->graph().processes) {
      count += process.nodes.size();
    }
    return count;
  };
  EXPECT_TRUE(wait_until([&] { return nodes() == 0; }));
  EXPECT_EQ(b.finish(), 0);
  EXPECT_TRUE(wait_until([&] { return participant->graph().processes.size() == 1; }));
}

TEST(Participant, IsOneForEachDomainAndEndsWithItsObjects) {
  const Folder folder;
  {
    auto first = Participant::join(3);
    auto second = Participant::join(3);
    ASSERT_TRUE(first && second);
    auto publisher = first->create_publisher(publisher_options("topic"));
    ASSERT_TRUE(publisher);
    EXPECT_EQ(second->graph().processes.size(), 1U);
    EXPECT_EQ(second->graph().processes[0].endpoints.size(), 1U);
    EXPECT_EQ(folder.files(3, ".region").size(), 1U);
  }
  EXPECT_TRUE(wait_until([&] { return folder.files(3, "").empty(); }));
}

}  // namespace
}  // namespace tandem::test
