// Between processes: flowing, joining late, ending, being killed.
#include <algorithm>
#include <future>

#include "conformance.hpp"
#include "peer.hpp"

namespace conformance {
namespace {

TEST_F(Conformance, RoundTripsThroughAnotherProcess) {
  const auto pub = publisher(topic("to"), transient_local(keep_all()));
  const auto sub = subscription(topic("back"), transient_local(keep_all()));
  Peer peer({"echo", topic("to"), topic("back")});
  ASSERT_TRUE(peer.says("ready"));
  for (std::uint64_t value = 0; value < 300; ++value) {
    ASSERT_EQ(publish(*pub, value), PublishResult::kOk);
    ASSERT_EQ(take_values(*sub, 1), range(value, value));
  }
  EXPECT_EQ(peer.finish(), 0);
  EXPECT_TRUE(eventually([&] { return pub->subscription_count() == 0 && sub->publisher_count() == 0; }));
}

TEST_F(Conformance, LateProcessReadsHistoryAndLeavesItsOwn) {
  const auto pub = publisher(topic("to"), transient_local(keep_all()));
  for (std::uint64_t value = 0; value < 200; ++value) {
    ASSERT_EQ(publish(*pub, value), PublishResult::kOk);
  }
  Peer peer({"echo", topic("to"), topic("back")});
  ASSERT_TRUE(peer.says("ready"));
  const auto sub = subscription(topic("back"), transient_local(keep_all()));
  EXPECT_EQ(take_values(*sub, 200), range(0, 199));
  EXPECT_EQ(peer.finish(), 0);
}

TEST_F(Conformance, LargeMessagesBetweenProcesses) {
  const auto pub = publisher<Large>(topic("to"), keep_last(2));
  const auto sub = subscription<Large>(topic("back"), keep_last(2));
  Peer peer({"echo_large", topic("to"), topic("back")});
  ASSERT_TRUE(peer.says("ready"));
  ASSERT_TRUE(matched(*pub, *sub));
  for (std::uint64_t value = 0; value < 4; ++value) {
    auto loan = pub->borrow();
    ASSERT_NE(loan, nullptr);
    fill(*static_cast<Large *>(loan->message()), value);
    ASSERT_EQ(pub->publish(std::move(loan)), PublishResult::kOk);
    const Sample sample = take_one(*sub);
    ASSERT_TRUE(sample);
    EXPECT_TRUE(holds(message_of<Large>(sample), value));
  }
}

TEST_F(Conformance, SampleOfAnotherProcessIsMarkedAsSuch) {
  const auto pub = publisher(topic("to"), transient_local(keep_all()));
  const auto sub = subscription(topic("back"), transient_local(keep_all()));
  const auto own = subscription(topic("to"), transient_local(keep_all()));
  Peer peer({"echo", topic("to"), topic("back")});
  ASSERT_EQ(publish(*pub, 1), PublishResult::kOk);
  EXPECT_FALSE(take_one(*sub).info.from_intra_process);
  EXPECT_TRUE(take_one(*own).info.from_intra_process);
}

TEST_F(Conformance, KilledPublisherIsNoticedAndItsSamplesStay) {
  const auto sub = subscription(topic(), keep_last(10));
  std::vector<Sample> kept;
  for (int round = 0; round < 3; ++round) {
    Peer peer({"flood", topic()});
    std::uint64_t last = 0;
    ASSERT_TRUE(eventually([&] {
      while (Sample sample = sub->take()) {
        const std::uint64_t value = value_of(sample);
        EXPECT_GE(value, last);
        last = value;
        if (value % 100 == 0 && kept.size() < 20) {
          kept.push_back(std::move(sample));
        }
        if (value > 2000) {
          return true;
        }
      }
      return false;
    }));
    peer.kill();
    EXPECT_TRUE(eventually([&] {
      while (const Sample sample = sub->take()) {
        value_of(sample);
      }
      return sub->publisher_count() == 0;
    }));
  }
  for (const Sample & sample : kept) {
    value_of(sample);
  }
}

TEST_F(Conformance, KilledReaderHoldsUpNobody) {
  const auto pub = publisher(topic(), keep_all(std::chrono::hours(1)));
  const auto sub = subscription(topic(), keep_all());
  constexpr std::uint64_t kCount = 40000;  // more than any transport stores
  Peer peer({"drink", topic()});
  ASSERT_TRUE(peer.says("matched"));
  ASSERT_TRUE(eventually([&] { return pub->subscription_count() == 2; }));
  std::atomic<std::uint64_t> published{0};
  auto writer = std::async(std::launch::async, [&] {
    for (; published < kCount; ++published) {
      EXPECT_EQ(publish(*pub, published), PublishResult::kOk);
    }
  });
  EXPECT_EQ(take_values(*sub, 500), range(0, 499));
  peer.kill();
  EXPECT_EQ(take_values(*sub, kCount - 500), range(500, kCount - 1));
  EXPECT_EQ(writer.wait_for(kLimit), std::future_status::ready);
  EXPECT_TRUE(eventually([&] { return pub->subscription_count() == 1; }));
}

TEST_F(Conformance, KilledProcessLeavesTheGraph) {
  const auto is_seen = [this] {
    const auto graph = context_->graph();
    return std::any_of(graph.nodes.begin(), graph.nodes.end(),
                       [](const auto & node) { return node.name == "mortal"; }) &&
           std::any_of(graph.endpoints.begin(), graph.endpoints.end(), [](const auto & endpoint) {
             return endpoint.topic == topic() && endpoint.node.name == "mortal" && endpoint.qos.depth == 3;
           });
  };
  Peer peer({"node", "/a/b", "mortal", topic()});
  ASSERT_TRUE(peer.says("ready"));
  EXPECT_TRUE(eventually(is_seen));
  peer.kill();
  EXPECT_TRUE(eventually([&] { return !is_seen(); }));
}

}  // namespace
}  // namespace conformance
