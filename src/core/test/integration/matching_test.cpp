// Who is matched with whom, what is said when they are not, and what the graph shows.
#include <gtest/gtest.h>

#include <unistd.h>

#include <algorithm>
#include <string>
#include <vector>

#include "agent.hpp"

namespace tandem::test {
namespace {

struct Difference {
  const char * name;
  const char * publisher;
  const char * subscription;
  std::vector<std::string> words;  ///< that the warning must contain, besides the topic
};

void PrintTo(const Difference & difference, std::ostream * out) { *out << difference.name; }

class Mismatch : public testing::TestWithParam<Difference> {};

INSTANTIATE_TEST_SUITE_P(
    , Mismatch,
    testing::Values(Difference{"TypeName", "type=a/msg/A", "type=a/msg/B", {"a/msg/A", "a/msg/B"}},
                    Difference{"Hash", "hash=17", "hash=34", {"test/msg/Words", "RIHS01_11", "RIHS01_22"}},
                    Difference{"Abi", "abi=111", "abi=222", {"test/msg/Words", "111", "222"}},
                    Difference{"Reliability", "best_effort", "", {"RELIABILITY", "BEST_EFFORT", "RELIABLE"}},
                    Difference{"Durability", "", "transient", {"DURABILITY", "VOLATILE", "TRANSIENT_LOCAL"}}),
    [](const auto & info) { return info.param.name; });

TEST_P(Mismatch, IsToldOnceOnBothSidesAndNothingPasses) {
  const Folder folder;
  const LogCapture log;
  Station a(false);
  Station b(true);
  ASSERT_EQ(a("join 0"), "ok");
  ASSERT_EQ(b("join 0"), "ok");
  ASSERT_EQ(a("pub p /camera/image " + std::string(GetParam().publisher)), "ok");
  ASSERT_EQ(b("sub s /camera/image " + std::string(GetParam().subscription)), "ok");
  ASSERT_EQ(b("sub s2 /camera/image " + std::string(GetParam().subscription)), "ok");
  auto words = GetParam().words;
  words.push_back("/camera/image");
  EXPECT_TRUE(wait_until([&] { return log.count(words) == 1; })) << testing::PrintToString(log.lines());
  EXPECT_TRUE(wait_until([&] { return b("log") != "none"; }));
  ASSERT_EQ(a("settle"), "ok");
  ASSERT_EQ(a("publish p 10 64"), "ok");
  EXPECT_EQ(b("take s 10"), "nothing");
  EXPECT_EQ(a("matched p"), "0");
  EXPECT_EQ(b("matched s"), "0");
  const std::string theirs = b("log");
  for (const std::string & word : words) {
    EXPECT_NE(theirs.find(word), std::string::npos) << word << " in " << theirs;
  }
  EXPECT_EQ(std::count(theirs.begin(), theirs.end(), '|'), 1) << theirs;
  EXPECT_EQ(log.lines().size(), 1U);
}

TEST(Matching, LeavesOthersOfTheTopicAlone) {
  const Folder folder;
  const LogCapture log;
  Agent agent;
  ASSERT_EQ(agent.execute("join 0"), "ok");
  ASSERT_EQ(agent.execute("pub p topic"), "ok");
  ASSERT_EQ(agent.execute("sub good topic"), "ok");
  ASSERT_EQ(agent.execute("sub bad topic hash=1"), "ok");
  ASSERT_EQ(agent.execute("sub elsewhere topic2"), "ok");
  ASSERT_EQ(agent.execute("settle"), "ok");
  ASSERT_TRUE(wait_until([&] { return agent.execute("matched good") == "1"; }));
  ASSERT_EQ(agent.execute("publish p 3 64"), "ok");
  EXPECT_EQ(agent.execute("await good 3"), "ok");
  EXPECT_EQ(agent.execute("take bad 3"), "nothing");
  EXPECT_EQ(agent.execute("take elsewhere 3"), "nothing");
}

TEST(Matching, LeavesOutTheOwnProcessWhenAsked) {
  const Folder folder;
  Station a(false);
  Station b(true);
  ASSERT_EQ(a("join 0"), "ok");
  ASSERT_EQ(b("join 0"), "ok");
  ASSERT_EQ(a("sub s topic others_only"), "ok");
  ASSERT_EQ(a("pub p topic"), "ok");
  ASSERT_EQ(b("pub p topic"), "ok");
  ASSERT_EQ(b("settle"), "ok");
  ASSERT_TRUE(wait_until([&] { return a("matched s") == "1" && b("matched p") == "1"; }));
  EXPECT_EQ(a("matched p"), "0");
  ASSERT_EQ(a("publish p 3 64"), "ok");
  EXPECT_EQ(a("take s 3"), "nothing");
  ASSERT_EQ(b("publish p 3 64"), "ok");
  EXPECT_EQ(a("await s 3"), "ok");
}

TEST(Matching, KeepsDomainsApart) {
  const Folder folder;
  Station a(false);
  Station b(true);
  ASSERT_EQ(a("join 1"), "ok");
  ASSERT_EQ(b("join 2"), "ok");
  ASSERT_EQ(a("pub p topic transient"), "ok");
  ASSERT_EQ(a("publish p 3 64"), "ok");
  ASSERT_EQ(b("sub s topic transient"), "ok");
  ASSERT_EQ(a("settle"), "ok");
  ASSERT_EQ(b("settle"), "ok");
  EXPECT_EQ(b("matched s"), "0");
  EXPECT_EQ(a("processes"), "1 1 0");
  EXPECT_EQ(b("processes"), "1 1 0");
}

TEST(Matching, RefusesWhatIsWrongBySayingIt) {
  const Folder folder;
  Agent agent;
  EXPECT_EQ(agent.execute("join 233").rfind("error 0 ", 0), 0U) << agent.execute("join 233");
  ASSERT_EQ(agent.execute("join 232"), "ok");
  for (const std::string what : {"pub", "sub"}) {
    const std::string deep = agent.execute(what + " x /topic depth=16001");
    EXPECT_EQ(deep.rfind("error 1 ", 0), 0U) << deep;
    EXPECT_NE(deep.find("/topic"), std::string::npos) << deep;
    EXPECT_EQ(agent.execute(what + " x topic depth=0").rfind("error 1 ", 0), 0U);
    EXPECT_EQ(agent.execute(what + " x " + std::string(1001, 'a')).rfind("error 0 ", 0), 0U);
    EXPECT_EQ(agent.execute(what + " x " + std::string(1000, 'a')), "ok");
    EXPECT_EQ(agent.execute(what + " x ").rfind("error 0 ", 0), 0U);
  }
  EXPECT_EQ(agent.execute("pub x topic keep_all samples=0").rfind("error 1 ", 0), 0U);
  EXPECT_EQ(agent.execute("pub x topic keep_all samples=16001").rfind("error 1 ", 0), 0U);
  EXPECT_EQ(agent.execute("pub x topic keep_all samples=16000"), "ok");
}

TEST(Graph, ShowsProcessesNodesAndEndpoints) {
  const Folder folder;
  Station b(true);
  ASSERT_EQ(b("join 0"), "ok");
  ASSERT_EQ(b("pub p /there depth=7 transient best_effort node=talker hash=5 abi=9"), "ok");
  const auto participant = Participant::join(0);
  ASSERT_TRUE(participant);
  const std::uint64_t before = participant->graph_version();
  const auto node = participant->add_node({"/robot", "driver"});
  ASSERT_TRUE(node);
  EXPECT_NE(participant->graph_version(), before);
  const auto subscription = participant->create_subscription(subscription_options("/here", "keep_all"));
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
  EXPECT_EQ(other.pid, b.child().pid());
  ASSERT_EQ(other.endpoints.size(), 1U);
  const EndpointInfo & there = other.endpoints[0];
  EXPECT_EQ(there.kind, EndpointKind::kPublisher);
  EXPECT_EQ(there.topic, "/there");
  EXPECT_EQ(there.type, publisher_options("/there", "hash=5 abi=9").type);
  EXPECT_EQ(there.qos.depth, 7U);
  EXPECT_EQ(there.qos.durability, Durability::kTransientLocal);
  EXPECT_EQ(there.qos.reliability, Reliability::kBestEffort);
  EXPECT_EQ(there.node, (NodeName{"/", "talker"}));
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
