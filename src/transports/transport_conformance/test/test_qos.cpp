// Quality of service: who matches, what is kept, what is lost and counted, who waits.
#include <algorithm>
#include <atomic>
#include <chrono>
#include <future>
#include <thread>

#include "conformance.hpp"

namespace conformance {
namespace {

TEST_F(Conformance, OfferedMustSatisfyRequested) {
  NEEDS(Feature::kQosMatching);
  const CapturedStderr said;
  struct Pair {
    Qos offered, requested;
    std::shared_ptr<Publisher> pub;
    std::shared_ptr<Subscription> sub;
    bool fits() const {
      return offered.reliability >= requested.reliability && offered.durability >= requested.durability;
    }
  };
  std::vector<Pair> pairs;
  for (unsigned bits = 0; bits < 64; ++bits) {
    if ((!has(Feature::kKeepAll) && (bits & 48) != 0) || (!has(Feature::kTransientLocal) && (bits & 12) != 0)) {
      continue;
    }
    Pair pair;
    pair.offered = (bits & 16) != 0 ? keep_all() : keep_last(3);
    pair.requested = (bits & 32) != 0 ? keep_all() : keep_last(3);
    pair.offered.reliability = static_cast<Reliability>(bits & 1);
    pair.requested.reliability = static_cast<Reliability>((bits >> 1) & 1);
    pair.offered.durability = static_cast<Durability>((bits >> 2) & 1);
    pair.requested.durability = static_cast<Durability>((bits >> 3) & 1);
    pair.pub = publisher(topic(std::to_string(bits)), pair.offered);
    pair.sub = subscription(topic(std::to_string(bits)), pair.requested);
    pairs.push_back(pair);
  }
  for (const Pair & pair : pairs) {
    if (pair.fits()) {
      ASSERT_TRUE(matched(*pair.pub, *pair.sub));
      ASSERT_EQ(publish(*pair.pub, 5), PublishResult::kOk);
      EXPECT_EQ(take_values(*pair.sub, 1), range(5, 5));
    }
  }
  for (const Pair & pair : pairs) {
    if (!pair.fits()) {
      EXPECT_EQ(pair.pub->subscription_count(), 0u);
      EXPECT_EQ(pair.sub->publisher_count(), 0u);
      ASSERT_EQ(publish(*pair.pub, 5), PublishResult::kOk);
      EXPECT_FALSE(pair.sub->take());
    }
  }
}

TEST_F(Conformance, IncompatibleQosIsSaidWithPolicyAndValues) {
  NEEDS(Feature::kQosMatching);
  const CapturedStderr said;
  const auto pub = publisher(topic(), best_effort(keep_last(1)));
  const auto sub = subscription(topic(), keep_last(1));
  EXPECT_TRUE(eventually([&] {
    const std::string text = said.text();
    return text.find(topic()) != std::string::npos && text.find("RELIABILITY") != std::string::npos &&
           text.find("BEST_EFFORT") != std::string::npos && text.find("RELIABLE") != std::string::npos;
  })) << said.text();
}

TEST_F(Conformance, SetUpErrorsNameTheTopic) {
  EXPECT_THROW(publisher("", keep_last(1)), transport::Error);
  try {
    subscription(topic(), keep_last(0));
    ADD_FAILURE() << "a depth of 0 was taken";
  } catch (const transport::Error & error) {
    EXPECT_NE(std::string(error.what()).find(topic()), std::string::npos) << error.what();
  }
}

// A transport that copies may still be delivering when the taking begins, even though the witness has everything. So in
// each round: what is taken and what is lost make the whole, and the last ones are among the taken; in some round no
// more than the depth is left. Each round gives it more time.
TEST_F(Conformance, KeepLastKeepsTheLastAndCountsTheLost) {
  NEEDS(Feature::kReliable);
  NEEDS(Feature::kAttribution);
  constexpr std::uint64_t kCount = 100;
  constexpr std::uint32_t kDepth = 5;
  bool was_exact = false;
  for (int round = 0; round < 50 && !was_exact; ++round) {
    const std::string name = topic(std::to_string(round));
    const auto pub = publisher(name, keep_last(kCount));
    const auto sub = subscription(name, keep_last(kDepth));
    ASSERT_TRUE(matched(*pub, *sub));
    const auto witness = subscription(name, keep_last(kCount));
    ASSERT_TRUE(eventually([&] { return pub->subscription_count() == 2 && witness->publisher_count() == 1; }));
    for (std::uint64_t value = 0; value < kCount; ++value) {
      ASSERT_EQ(publish(*pub, value), PublishResult::kOk);
    }
    ASSERT_EQ(take_values(*witness, kCount), range(0, kCount - 1));
    std::this_thread::sleep_for(std::chrono::milliseconds(round));
    const std::vector<std::uint64_t> values = take_until(*sub, kCount - 1);
    EXPECT_TRUE(std::is_sorted(values.begin(), values.end()));
    EXPECT_EQ(values.size() + sub->lost(), kCount);
    ASSERT_GE(values.size(), kDepth);
    EXPECT_EQ(std::vector<std::uint64_t>(values.end() - kDepth, values.end()), range(kCount - kDepth, kCount - 1));
    was_exact = values.size() == kDepth;
  }
  EXPECT_TRUE(was_exact);
}

TEST_F(Conformance, DepthOne) {
  const auto pub = publisher(topic(), keep_last(1));
  const auto sub = subscription(topic(), keep_last(1));
  ASSERT_TRUE(matched(*pub, *sub));
  for (std::uint64_t value = 0; value < 50; ++value) {
    ASSERT_EQ(publish(*pub, value), PublishResult::kOk);
    ASSERT_EQ(take_values(*sub, 1), range(value, value));
  }
  EXPECT_EQ(sub->lost(), 0u);
}

TEST_F(Conformance, BestEffortDelivers) {
  const auto pub = publisher(topic(), best_effort(keep_last(10)));
  const auto sub = subscription(topic(), best_effort(keep_last(10)));
  ASSERT_TRUE(matched(*pub, *sub));
  for (std::uint64_t value = 0; value < 20; ++value) {
    ASSERT_EQ(publish(*pub, value), PublishResult::kOk);
    ASSERT_EQ(take_values(*sub, 1), range(value, value));
  }
}

TEST_F(Conformance, AcknowledgementsAreWaitedFor) {
  const auto pub = publisher(topic(), keep_last(10));
  EXPECT_TRUE(pub->wait_for_all_acked(patience)) << "with nobody there";
  auto sub = subscription(topic(), keep_last(10));
  ASSERT_TRUE(matched(*pub, *sub));
  EXPECT_TRUE(pub->wait_for_all_acked(patience)) << "with nothing published";
  for (std::uint64_t value = 0; value < 10; ++value) {
    ASSERT_EQ(publish(*pub, value), PublishResult::kOk);
  }
  EXPECT_TRUE(pub->wait_for_all_acked(std::chrono::nanoseconds(-1)));
  if (has(Feature::kReliable)) {
    EXPECT_EQ(take_values(*sub, 10), range(0, 9));
  }
  ASSERT_EQ(publish(*pub, 10), PublishResult::kOk);
  sub.reset();
  EXPECT_TRUE(pub->wait_for_all_acked(patience)) << "the reader has left";
}

TEST_F(Conformance, TransientLocalJoinerReadsHistoryThenTheNew) {
  NEEDS(Feature::kTransientLocal);
  const auto pub = publisher(topic(), transient_local(keep_last(5)));
  for (std::uint64_t value = 0; value < 20; ++value) {
    ASSERT_EQ(publish(*pub, value), PublishResult::kOk);
  }
  const auto sub = subscription(topic(), transient_local(keep_last(10)));
  ASSERT_TRUE(matched(*pub, *sub));
  EXPECT_EQ(take_values(*sub, 5), range(15, 19));
  ASSERT_EQ(publish(*pub, 20), PublishResult::kOk);
  EXPECT_EQ(take_values(*sub, 1), range(20, 20));
  EXPECT_FALSE(sub->take());
  EXPECT_EQ(sub->lost(), 0u);
  const auto modest = subscription(topic(), transient_local(keep_last(2)));
  // A transport that sends the history may be taken from meanwhile: some of the last five, and then the last two.
  const auto last = take_until(*modest, 20);
  ASSERT_GE(last.size(), 2u);
  EXPECT_TRUE(std::is_sorted(last.begin(), last.end()));
  EXPECT_GE(last.front(), 16u);
  EXPECT_EQ(last[last.size() - 2], 19u);
  EXPECT_FALSE(modest->take());
}

// How much is kept for late joiners the publisher says, not a subscription that was there before it.
TEST_F(Conformance, HistoryIsAsDeepAsItsPublisherSays) {
  NEEDS(Feature::kTransientLocal);
  const auto modest = subscription(topic(), transient_local(keep_last(1)));
  const auto pub = publisher(topic(), transient_local(keep_last(5)));
  ASSERT_TRUE(matched(*pub, *modest));
  for (std::uint64_t value = 0; value < 20; ++value) {
    ASSERT_EQ(publish(*pub, value), PublishResult::kOk);
  }
  const auto late = subscription(topic(), transient_local(keep_last(10)));
  EXPECT_EQ(take_values(*late, 5), range(15, 19));
  EXPECT_FALSE(late->take());
}

TEST_F(Conformance, TransientLocalKeepAllReadsEverything) {
  NEEDS(Feature::kTransientLocal);
  NEEDS(Feature::kKeepAll);
  const auto pub = publisher(topic(), transient_local(keep_all()));
  for (std::uint64_t value = 0; value < 900; ++value) {
    ASSERT_EQ(publish(*pub, value), PublishResult::kOk);
  }
  const auto sub = subscription(topic(), transient_local(keep_all()));
  EXPECT_EQ(take_values(*sub, 900), range(0, 899));
  EXPECT_FALSE(sub->take());
}

TEST_F(Conformance, VolatileJoinerGetsTheNewOnly) {
  NEEDS(Feature::kTransientLocal);
  const auto pub = publisher(topic(), transient_local(keep_last(5)));
  for (std::uint64_t value = 0; value < 5; ++value) {
    ASSERT_EQ(publish(*pub, value), PublishResult::kOk);
  }
  const auto sub = subscription(topic(), keep_last(10));
  ASSERT_TRUE(matched(*pub, *sub));
  ASSERT_EQ(publish(*pub, 5), PublishResult::kOk);
  EXPECT_EQ(take_values(*sub, 1), range(5, 5));
  EXPECT_FALSE(sub->take());
  EXPECT_EQ(sub->lost(), 0u);
}

TEST_F(Conformance, KeepAllLosesNothingWithASlowReader) {
  NEEDS(Feature::kKeepAll);
  constexpr std::uint64_t kCount = 20000;
  const auto pub = publisher(topic(), keep_all());
  const auto sub = subscription(topic(), keep_all());
  ASSERT_TRUE(matched(*pub, *sub));
  std::thread writer([&] {
    for (std::uint64_t value = 0; value < kCount; ++value) {
      ASSERT_EQ(publish(*pub, value), PublishResult::kOk);
    }
  });
  EXPECT_EQ(take_values(*sub, kCount), range(0, kCount - 1));
  writer.join();
  EXPECT_EQ(sub->lost(), 0u);
}

TEST_F(Conformance, KeepAllPublishTimesOutThenGoesOn) {
  NEEDS(Feature::kKeepAll);
  const auto pub = publisher(topic(), keep_all(std::chrono::milliseconds(10)));
  const auto sub = subscription(topic(), keep_all());
  ASSERT_TRUE(matched(*pub, *sub));
  std::uint64_t count = 0;
  PublishResult result = PublishResult::kOk;
  while (count < 1'000'000 && (result = publish(*pub, count)) == PublishResult::kOk) {
    ++count;
  }
  EXPECT_EQ(result, PublishResult::kTimeout) << to_string(result) << " after " << count;
  EXPECT_EQ(take_values(*sub, count), range(0, count - 1));
  EXPECT_TRUE(eventually([&] { return publish(*pub, count) == PublishResult::kOk; }));
  EXPECT_EQ(take_values(*sub, 1), range(count, count));
  EXPECT_EQ(sub->lost(), 0u);
}

TEST_F(Conformance, KeepAllPublishGoesOnWhenTheSlowReaderTakesOrLeaves) {
  NEEDS(Feature::kKeepAll);
  const auto pub = publisher(topic(), keep_all(std::chrono::hours(1)));
  auto slow = subscription(topic(), keep_all());
  ASSERT_TRUE(matched(*pub, *slow));
  std::atomic<std::uint64_t> published{0};
  std::atomic<bool> stop{false};
  auto writer = std::async(std::launch::async, [&] {
    while (!stop) {
      EXPECT_EQ(publish(*pub, published), PublishResult::kOk);
      ++published;
    }
  });
  const auto wait_until_stuck = [&published] {
    std::uint64_t seen = published;
    while (std::this_thread::sleep_for(std::chrono::milliseconds(20)), seen != published) {
      seen = published;
    }
    return seen;
  };
  const std::uint64_t stuck = wait_until_stuck();
  EXPECT_EQ(take_values(*slow, stuck), range(0, stuck - 1));
  EXPECT_TRUE(eventually([&] { return published > stuck; }));
  wait_until_stuck();
  slow.reset();
  stop = true;
  EXPECT_EQ(writer.wait_for(patience), std::future_status::ready);
}

TEST_F(Conformance, SlowKeepLastReaderDoesNotHoldUpAKeepAllPublisher) {
  NEEDS(Feature::kKeepAll);
  const auto pub = publisher(topic(), keep_all());
  const auto slow = subscription(topic(), keep_last(3));
  ASSERT_TRUE(matched(*pub, *slow));
  for (std::uint64_t value = 0; value < 40000; ++value) {
    ASSERT_EQ(publish(*pub, value), PublishResult::kOk);
  }
  const auto values = take_until(*slow, 39999);
  EXPECT_TRUE(!values.empty() && values.back() == 39999);
}

}  // namespace
}  // namespace conformance
