#include <gtest/gtest.h>

#include <algorithm>
#include <thread>
#include <tuple>

#include "tandem/dds/graph.hpp"

namespace tandem::dds {
namespace {

using transport::EndpointInfo;
using transport::EndpointKind;
using transport::NodeName;

constexpr auto kPub = EndpointKind::kPublisher;
constexpr auto kSub = EndpointKind::kSubscription;

Gid gid_of(std::uint8_t participant, std::uint8_t entity) {
  Gid gid{};
  gid[0] = participant;
  gid[15] = entity;
  return gid;
}

EndpointInfo endpoint(EndpointKind kind, const Gid & gid, const std::string & topic = "/a") {
  EndpointInfo info;
  info.kind = kind;
  info.topic = topic;
  info.type_name = "std_msgs/msg/String";
  info.gid = gid;
  return info;
}

EndpointInfo of_node(EndpointInfo info, const std::string & node) {
  info.node = {"/", node};
  return info;
}

class GraphTest : public testing::Test {
 protected:
  static constexpr std::uint8_t kOwn = 1, kPeer = 2;

  void hear(const ParticipantEntities & entities, GidWidth width = GidWidth::k16) {
    const auto bytes = encode(entities, width);
    graph_.entities(bytes.data(), bytes.size());
  }

  std::vector<std::string> nodes() const {
    std::vector<std::string> names;
    for (const NodeName & node : graph_.snapshot().nodes) {
      names.push_back(node.name_space + "|" + node.name);
    }
    std::sort(names.begin(), names.end());
    return names;
  }

  std::string node_of(const Gid & gid) const {
    for (const EndpointInfo & info : graph_.snapshot().endpoints) {
      if (info.gid == gid) {
        return info.node.name_space + "|" + info.node.name;
      }
    }
    return "gone";
  }

  /// What is logged while `act` runs.
  template <class Act>
  static std::string said(const Act & act) {
    testing::internal::CaptureStderr();
    act();
    return testing::internal::GetCapturedStderr();
  }

  int announced_ = 0;
  Graph graph_{"rmw_x_cpp", gid_of(kOwn, 0xc1), [this] { ++announced_; }};
};

TEST_F(GraphTest, AnnouncesItsNodesWithTheirEndpointsAtEachChange) {
  graph_.add(NodeName{"/", "a"});
  graph_.add(NodeName{"/", "b"});
  graph_.add(of_node(endpoint(kPub, gid_of(kOwn, 3)), "b"));
  graph_.add(of_node(endpoint(kSub, gid_of(kOwn, 4)), "b"));
  EXPECT_EQ(announced_, 4);
  auto [version, told] = graph_.announcement();
  EXPECT_EQ(version, 4u);
  EXPECT_EQ(told.participant, gid_of(kOwn, 0xc1));
  ASSERT_EQ(told.nodes.size(), 2u);
  EXPECT_EQ(told.nodes[0].node.name, "a");
  EXPECT_TRUE(told.nodes[0].writers.empty());
  EXPECT_EQ(told.nodes[1].writers, std::vector{gid_of(kOwn, 3)});
  EXPECT_EQ(told.nodes[1].readers, std::vector{gid_of(kOwn, 4)});

  graph_.remove(gid_of(kOwn, 3));
  graph_.remove(gid_of(kOwn, 3));
  graph_.remove(NodeName{"/", "a"});
  graph_.remove(NodeName{"/", "never"});
  EXPECT_EQ(announced_, 6);
  std::tie(version, told) = graph_.announcement();
  EXPECT_EQ(version, 6u);
  ASSERT_EQ(told.nodes.size(), 1u);
  EXPECT_TRUE(told.nodes[0].writers.empty());
}

TEST_F(GraphTest, NodesThatShareANameAreBothThere) {
  graph_.add(NodeName{"/", "twin"});
  graph_.add(NodeName{"/", "twin"});
  graph_.add(of_node(endpoint(kPub, gid_of(kOwn, 3)), "twin"));
  EXPECT_EQ(graph_.announcement().second.nodes.size(), 2u);
  graph_.remove(NodeName{"/", "twin"});
  const ParticipantEntities left = graph_.announcement().second;
  ASSERT_EQ(left.nodes.size(), 1u);
  EXPECT_EQ(left.nodes[0].writers.size(), 1u);
}

TEST_F(GraphTest, JoinsRemoteEndpointsWithTheNodesThatClaimThem) {
  const Gid writer = gid_of(kPeer, 3), reader = gid_of(kPeer, 4);
  graph_.discovered(endpoint(kPub, writer));
  EXPECT_EQ(node_of(writer), "_NODE_NAMESPACE_UNKNOWN_|_NODE_NAME_UNKNOWN_");
  hear({gid_of(kPeer, 0xc1), {{{"/", "talker"}, {}, {writer}}, {{"/deep", "listener"}, {reader}, {}}}}, GidWidth::k24);
  EXPECT_EQ(node_of(writer), "/|talker");
  graph_.discovered(endpoint(kSub, reader));  // in whichever order they come
  EXPECT_EQ(node_of(reader), "/deep|listener");
  EXPECT_EQ(nodes(), (std::vector<std::string>{"/deep|listener", "/|talker"}));

  hear({gid_of(kPeer, 0xc1), {{{"/deep", "listener"}, {reader}, {}}}});  // the whole again: talker is gone
  EXPECT_EQ(nodes(), (std::vector<std::string>{"/deep|listener"}));
  graph_.lost(writer);
  EXPECT_EQ(node_of(writer), "gone");
  hear({gid_of(kPeer, 0xc1), {}});
  EXPECT_TRUE(nodes().empty());
}

TEST_F(GraphTest, LostParticipantTakesItsNodesAndEndpointsAlong) {
  for (const std::uint8_t peer : {std::uint8_t{2}, std::uint8_t{3}}) {
    graph_.discovered(endpoint(kPub, gid_of(peer, 3)));
    graph_.discovered(endpoint(kPub, gid_of(peer, 4)));
    hear({gid_of(peer, 0xc1), {{{"/", "node" + std::to_string(peer)}, {}, {gid_of(peer, 3)}}}});
  }
  graph_.lost_participant(gid_of(2, 0xc1));
  EXPECT_EQ(nodes(), (std::vector<std::string>{"/|node3"}));
  ASSERT_EQ(graph_.snapshot().endpoints.size(), 2u);
  EXPECT_EQ(node_of(gid_of(3, 3)), "/|node3");
}

TEST_F(GraphTest, NobodyClaimsTheEndpointsOfOthers) {
  graph_.discovered(endpoint(kPub, gid_of(kPeer, 3)));
  hear({gid_of(7, 0xc1), {{{"/", "thief"}, {}, {gid_of(kPeer, 3)}}}});
  EXPECT_EQ(node_of(gid_of(kPeer, 3)), "_NODE_NAMESPACE_UNKNOWN_|_NODE_NAME_UNKNOWN_");
}

TEST_F(GraphTest, OwnMessagesOfDiscoveryChangeNothing) {
  graph_.add(NodeName{"/", "me"});
  hear(graph_.announcement().second);
  EXPECT_EQ(nodes(), (std::vector<std::string>{"/|me"}));
}

TEST_F(GraphTest, UnreadableDiscoveryInfoIsLoggedOnceAndChangesNothing) {
  hear({gid_of(kPeer, 0xc1), {{{"/", "good"}, {}, {}}}});
  const std::uint8_t noise[] = {0, 1, 0, 0, 1, 2, 3};
  const std::string text = said([&] {
    graph_.entities(noise, sizeof(noise));
    graph_.entities(noise, sizeof(noise));
    graph_.entities(nullptr, 0);
  });
  EXPECT_EQ(text,
            "[WARN] [rmw_x_cpp]: topic 'ros_discovery_info': a message from another participant is unreadable (it is "
            "truncated); its nodes are not listed until it sends a good one\n");
  EXPECT_EQ(nodes(), (std::vector<std::string>{"/|good"}));
}

TEST_F(GraphTest, AnotherTypeUnderTheTopicIsLoggedOnceInWhicheverOrder) {
  EndpointInfo other = endpoint(kPub, gid_of(kPeer, 3));
  other.type_name = "std_msgs/msg/Int32";
  const std::string expected =
      "[WARN] [rmw_x_cpp]: topic '/a': no match: the publisher's type is std_msgs/msg/Int32, the subscription's is "
      "std_msgs/msg/String\n";
  EXPECT_EQ(said([&] {
              graph_.discovered(other);
              graph_.add(endpoint(kSub, gid_of(kOwn, 3)));
              graph_.add(endpoint(kSub, gid_of(kOwn, 4)));
              graph_.discovered(other);
              graph_.discovered(endpoint(kPub, gid_of(kPeer, 5), "/b"));
              graph_.discovered(endpoint(kSub, gid_of(kPeer, 6)));
            }),
            expected);
}

TEST_F(GraphTest, SaysWhichPolicyAndWhichHashesDiffer) {
  graph_.add(endpoint(kSub, gid_of(kOwn, 3)));
  EndpointInfo weak = endpoint(kPub, gid_of(kPeer, 3));
  weak.qos.reliability = transport::Reliability::kBestEffort;
  EXPECT_EQ(said([&] { graph_.discovered(weak); }),
            "[WARN] [rmw_x_cpp]: topic '/a': no match: RELIABILITY: the publisher offers BEST_EFFORT, the subscription "
            "requests RELIABLE\n");
  EndpointInfo wanting = endpoint(kSub, gid_of(kPeer, 4), "/b");
  wanting.qos.durability = transport::Durability::kTransientLocal;
  wanting.type_hash = "RIHS01_1";
  EndpointInfo own = endpoint(kPub, gid_of(kOwn, 5), "/b");
  own.type_hash = "RIHS01_2";
  graph_.discovered(wanting);
  EXPECT_NE(said([&] { graph_.add(own); }).find("DURABILITY: the publisher offers VOLATILE"), std::string::npos);
  own.qos.durability = transport::Durability::kTransientLocal;
  const std::string text = said([&] { graph_.add(own); });
  EXPECT_NE(text.find("publisher's hash is RIHS01_2, the subscription's is RIHS01_1"), std::string::npos) << text;
}

TEST_F(GraphTest, OwnEndpointsAreComparedUnlessDeafToEachOther) {
  EndpointInfo other = endpoint(kSub, gid_of(kOwn, 4));
  other.type_name = "x/msg/Y";
  EXPECT_EQ(said([&] {
              graph_.add(endpoint(kPub, gid_of(kOwn, 3)));
              graph_.add(other, true);
              graph_.remove(other.gid);
            }),
            "");
  EXPECT_NE(said([&] { graph_.add(other); }).find("x/msg/Y"), std::string::npos);
}

TEST_F(GraphTest, StrangersDoNotControlTheTerminal) {
  graph_.add(endpoint(kSub, gid_of(kOwn, 3)));
  EndpointInfo other = endpoint(kPub, gid_of(kPeer, 3));
  other.type_name = "\x1b[2J\nevil";
  const std::string text = said([&] { graph_.discovered(other); });
  EXPECT_NE(text.find("?[2J?evil"), std::string::npos) << text;
}

TEST_F(GraphTest, TellsTheLifespansOfPublishersThatAreThere) {
  using namespace std::chrono_literals;
  EndpointInfo own = endpoint(kPub, gid_of(kOwn, 3));
  EndpointInfo other = endpoint(kPub, gid_of(kPeer, 3));
  graph_.add(own);
  EXPECT_EQ(graph_.lifespan_of(own.gid), transport::kInfinite);
  own.qos.lifespan = 1s;
  other.qos.lifespan = 2s;
  graph_.add(own);
  graph_.discovered(other);
  EXPECT_EQ(graph_.lifespan_of(own.gid), 1s);
  EXPECT_EQ(graph_.lifespan_of(other.gid), 2s);
  EXPECT_EQ(graph_.lifespan_of(gid_of(kPeer, 4)), transport::kInfinite);
  graph_.lost(other.gid);
  EXPECT_EQ(graph_.lifespan_of(other.gid), transport::kInfinite);
}

TEST_F(GraphTest, ThreadsMayDoAllAtOnce) {
  std::vector<std::thread> threads;
  Graph graph("rmw_x_cpp", gid_of(kOwn, 0xc1), [] {});
  for (std::uint8_t number = 10; number < 14; ++number) {
    threads.emplace_back([&graph, number] {
      for (int round = 0; round < 200; ++round) {
        const auto bytes = encode({gid_of(number, 0xc1), {{{"/", "n"}, {}, {gid_of(number, 3)}}}}, GidWidth::k16);
        graph.add(of_node(endpoint(kPub, gid_of(kOwn, number)), "n"));
        graph.discovered(endpoint(kSub, gid_of(number, 3)));
        graph.entities(bytes.data(), bytes.size());
        EXPECT_LE(graph.snapshot().endpoints.size(), 8u);
        (void)graph.announcement();
        graph.lost_participant(gid_of(number, 0xc1));
        graph.remove(gid_of(kOwn, number));
      }
    });
  }
  for (std::thread & thread : threads) {
    thread.join();
  }
  EXPECT_TRUE(graph.snapshot().endpoints.empty());
  EXPECT_TRUE(graph.snapshot().nodes.empty());
}

}  // namespace
}  // namespace tandem::dds
