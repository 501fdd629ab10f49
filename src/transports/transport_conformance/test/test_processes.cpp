// Between processes: flowing, joining late, ending, being killed.
#include <algorithm>
#include <atomic>
#include <future>

#include "conformance.hpp"
#include "peer.hpp"

namespace conformance {
namespace {

/// Starts an echo of this type, which everybody sees.
std::unique_ptr<Peer> start_echo(const std::string & type, const std::string & to, const std::string & back,
                                 const Publisher & pub, const Subscription & sub) {
  auto peer = std::make_unique<Peer>(std::vector<std::string>{"echo", type, to, back});
  EXPECT_TRUE(peer->says("ready"));
  EXPECT_TRUE(eventually([&] { return pub.subscription_count() > 0 && sub.publisher_count() == 1; }));
  return peer;
}

TEST_F(Conformance, RoundTripsThroughAnotherProcess) {
  const auto pub = publisher(topic("to"), keep_last(10));
  const auto sub = subscription(topic("back"), keep_last(10));
  const auto peer = start_echo("small", topic("to"), topic("back"), *pub, *sub);
  for (std::uint64_t value = 0; value < 300; ++value) {
    ASSERT_EQ(publish(*pub, value), PublishResult::kOk);
    ASSERT_EQ(take_values(*sub, 1), range(value, value));
  }
  EXPECT_EQ(peer->finish(), 0);
  EXPECT_TRUE(eventually([&] { return pub->subscription_count() == 0 && sub->publisher_count() == 0; }));
}

TEST_F(Conformance, LateProcessReadsHistoryAndLeavesItsOwn) {
  NEEDS(Feature::kTransientLocal);
  NEEDS(Feature::kKeepAll);
  const auto pub = publisher(topic("to"), transient_local(keep_all()));
  for (std::uint64_t value = 0; value < 200; ++value) {
    ASSERT_EQ(publish(*pub, value), PublishResult::kOk);
  }
  Peer peer({"echo_history", topic("to"), topic("back")});
  ASSERT_TRUE(peer.says("ready"));
  const auto sub = subscription(topic("back"), transient_local(keep_all()));
  EXPECT_EQ(take_values(*sub, 200), range(0, 199));
  EXPECT_EQ(peer.finish(), 0);
}

TEST_F(Conformance, LateProcessReadsWhatThePublisherKeeps) {
  NEEDS(Feature::kTransientLocal);
  NEEDS(Feature::kKeepAll);
  const auto modest = subscription(topic("to"), transient_local(keep_last(1)));
  const auto pub = publisher(topic("to"), transient_local(keep_last(50)));
  ASSERT_TRUE(matched(*pub, *modest));
  for (std::uint64_t value = 0; value < 200; ++value) {
    ASSERT_EQ(publish(*pub, value), PublishResult::kOk);
  }
  Peer peer({"echo_history", topic("to"), topic("back")});
  ASSERT_TRUE(peer.says("ready"));
  const auto sub = subscription(topic("back"), transient_local(keep_all()));
  EXPECT_EQ(take_values(*sub, 50), range(150, 199));
  EXPECT_EQ(peer.finish(), 0);
}

// More than any transport stores: what has been acknowledged makes room, though it is kept for late joiners.
TEST_F(Conformance, TransientLocalKeepAllGoesOnThroughAnotherProcess) {
  NEEDS(Feature::kTransientLocal);
  NEEDS(Feature::kKeepAll);
  constexpr std::uint64_t kCount = 5000;
  const auto pub = publisher(topic("to"), transient_local(keep_all()));
  const auto sub = subscription(topic("back"), transient_local(keep_all()));
  Peer peer({"echo_history", topic("to"), topic("back")});
  ASSERT_TRUE(peer.says("ready"));
  ASSERT_TRUE(matched(*pub, *sub));
  // Once this one is back, the peer's publisher knows of the subscription too, and keeps for it what it has not had.
  ASSERT_EQ(publish(*pub, 0), PublishResult::kOk);
  ASSERT_EQ(take_values(*sub, 1), range(0, 0));
  auto writer = std::async(std::launch::async, [&pub] {
    for (std::uint64_t value = 1; value < kCount; ++value) {
      ASSERT_EQ(publish(*pub, value), PublishResult::kOk);
    }
  });
  EXPECT_EQ(take_values(*sub, kCount - 1), range(1, kCount - 1));
  EXPECT_EQ(writer.wait_for(patience), std::future_status::ready);
  EXPECT_EQ(peer.finish(), 0);
}

TEST_F(Conformance, LargeMessagesBetweenProcesses) {
  const auto pub = publisher<Large>(topic("to"), keep_last(2));
  const auto sub = subscription<Large>(topic("back"), keep_last(2));
  const auto peer = start_echo("large", topic("to"), topic("back"), *pub, *sub);
  for (std::uint64_t value = 0; value < 4; ++value) {
    auto loan = pub->borrow();
    ASSERT_TRUE(loan);
    fill(*static_cast<Large *>(loan.data()), value);
    ASSERT_EQ(pub->publish(std::move(loan)), PublishResult::kOk);
    const Sample sample = take_one(*sub);
    ASSERT_TRUE(sample);
    EXPECT_TRUE(holds(message_of<Large>(sample), value));
  }
}

TEST_F(Conformance, SampleOfAnotherProcessIsMarkedAsSuch) {
  NEEDS(Feature::kAttribution);
  const auto pub = publisher(topic("to"), keep_last(10));
  const auto sub = subscription(topic("back"), keep_last(10));
  const auto own = subscription(topic("to"), keep_last(10));
  const auto peer = start_echo("small", topic("to"), topic("back"), *pub, *sub);
  ASSERT_TRUE(eventually([&] { return pub->subscription_count() == 2; }));
  ASSERT_EQ(publish(*pub, 1), PublishResult::kOk);
  EXPECT_FALSE(take_one(*sub).info.from_intra_process);
  EXPECT_TRUE(take_one(*own).info.from_intra_process);
}

TEST_F(Conformance, LocalPublicationsMayBeIgnored) {
  auto options = options_of(topic("back"), keep_last(10));
  const auto own_pub = publisher(topic("back"), keep_last(10));
  const auto own_sub = subscription(topic("back"), keep_last(10));
  options.ignore_local_publications = true;
  const auto deaf_sub = context_->create_subscription(type_of<Small>(), options);
  const auto pub = publisher(topic("to"), keep_last(10));
  const auto peer = start_echo("small", topic("to"), topic("back"), *pub, *deaf_sub);
  ASSERT_TRUE(eventually([&] { return own_sub->publisher_count() == 2; }));
  EXPECT_TRUE(eventually([&] { return own_pub->subscription_count() == 1; }));
  ASSERT_EQ(publish(*own_pub, 1), PublishResult::kOk);
  EXPECT_EQ(take_values(*own_sub, 1), range(1, 1));
  EXPECT_TRUE(own_pub->wait_for_all_acked(patience)) << "nobody waits for the one that ignores it";
  ASSERT_EQ(publish(*pub, 2), PublishResult::kOk);
  EXPECT_EQ(take_values(*deaf_sub, 1), range(2, 2));
  EXPECT_FALSE(deaf_sub->take());
  EXPECT_EQ(deaf_sub->lost(), 0u);
}

TEST_F(Conformance, PeerOfAnotherTypeIsNoMatch) {
  const CapturedStderr said;
  const auto pub = publisher(topic(), keep_last(10));
  const auto sub = subscription(topic(), keep_last(10));
  Peer peer({"other_type", topic()});
  ASSERT_TRUE(peer.says("ready"));
  ASSERT_TRUE(matched(*pub, *sub));
  for (std::uint64_t value = 1000; value < 1100; ++value) {  // local traffic goes on
    ASSERT_EQ(publish(*pub, value), PublishResult::kOk);
    ASSERT_EQ(take_values(*sub, 1), range(value, value));
  }
  EXPECT_TRUE(eventually([&] { return said.text().find(topic()) != std::string::npos; })) << "nobody said it";
  EXPECT_TRUE(matched(*pub, *sub));
}

TEST_F(Conformance, KilledPublisherIsNoticedAndItsSamplesStay) {
  const auto sub = subscription(topic(), keep_last(10));
  std::vector<Sample> kept;
  Peer peer({"flood", "small", topic()});
  std::uint64_t last = 0;
  ASSERT_TRUE(eventually([&] {
    while (Sample sample = sub->take()) {
      const std::uint64_t value = value_of(sample);
      EXPECT_GE(value, last);
      last = value;
      if (kept.size() < 20) {
        kept.push_back(std::move(sample));
      }
    }
    return last > 2000;
  }));
  peer.kill();
  EXPECT_TRUE(eventually([&] {
    while (const Sample sample = sub->take()) {
      value_of(sample);
    }
    return sub->publisher_count() == 0;
  }));
  for (const Sample & sample : kept) {
    value_of(sample);
  }
  // Its successor is heard.
  const auto pub = publisher(topic(), keep_last(10));
  ASSERT_TRUE(matched(*pub, *sub));
  ASSERT_EQ(publish(*pub, 1), PublishResult::kOk);
  EXPECT_EQ(take_values(*sub, 1), range(1, 1));
}

TEST_F(Conformance, KilledReaderHoldsUpNobody) {
  NEEDS(Feature::kKeepAll);
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
  EXPECT_EQ(writer.wait_for(patience), std::future_status::ready);
  EXPECT_TRUE(eventually([&] { return pub->subscription_count() == 1; }));
}

TEST_F(Conformance, KilledProcessLeavesTheGraph) {
  NEEDS(Feature::kGraph);
  const auto is_seen = [this] {
    const auto graph = context_->graph();
    return std::any_of(graph.nodes.begin(), graph.nodes.end(),
                       [](const auto & node) { return node.name == "mortal"; }) &&
           std::any_of(graph.endpoints.begin(), graph.endpoints.end(), [](const auto & endpoint) {
             return endpoint.topic == topic() && endpoint.node.name == "mortal";
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
