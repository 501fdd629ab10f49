// What a user sees of delivery: order, depth, history, back-pressure; within a process and between two.
#include <gtest/gtest.h>

#include <string>

#include "station.hpp"

namespace tandem::test {
namespace {

/// Publishers on `a`, subscriptions on `b`, which is the same process or another one.
class Delivery : public testing::TestWithParam<bool> {
 protected:
  Delivery() : a_(Place::kHere), b_(GetParam() ? Place::kElsewhere : Place::kHere) {
    EXPECT_TRUE(a_.join(0));
    EXPECT_TRUE(b_.join(0));
  }
  void connect(const EndpointOptions & publisher = {}, const EndpointOptions & subscription = {}) {
    ASSERT_TRUE(a_.create_publisher("p", "topic", publisher));
    ASSERT_TRUE(b_.create_subscription("s", "topic", subscription));
    ASSERT_TRUE(matched(1));
  }
  bool matched(std::size_t count) { return a_.until_matched("p", count) && b_.until_matched("s", count); }

  Folder folder_;
  Station a_;
  Station b_;
};

INSTANTIATE_TEST_SUITE_P(, Delivery, testing::Bool(),
                         [](const auto & info) { return info.param ? "TwoProcesses" : "OneProcess"; });

TEST_P(Delivery, KeepsOrder) {
  connect({.depth = 100}, {.depth = 100});
  for (int round = 0; round < 20; ++round) {
    ASSERT_TRUE(a_.publish("p", 100, 64));
    ASSERT_TRUE(b_.await("s", 100));
  }
  EXPECT_EQ(b_.lost("s"), 0U);
}

TEST_P(Delivery, ReachesBestEffortReaders) {
  connect({.best_effort = true}, {.best_effort = true});
  ASSERT_TRUE(a_.publish("p", 5, 64));
  EXPECT_TRUE(b_.await("s", 5));
}

TEST_P(Delivery, ConnectsSeveralPublishersAndSubscriptions) {
  for (Station * station : {&a_, &b_}) {
    for (const char * name : {"p1", "p2"}) {
      ASSERT_TRUE(station->create_publisher(name, "many", {.depth = 200}));
    }
    for (const char * name : {"s1", "s2"}) {
      ASSERT_TRUE(station->create_subscription(name, "many", {.depth = 200}));
    }
  }
  for (Station * station : {&a_, &b_}) {
    for (const char * name : {"p1", "p2", "s1", "s2"}) {
      ASSERT_TRUE(station->until_matched(name, 4)) << name;
    }
  }
  for (Station * station : {&a_, &b_}) {
    ASSERT_TRUE(station->publish("p1", 100, 64));
    ASSERT_TRUE(station->publish("p2", 100, 1000));
  }
  for (Station * station : {&a_, &b_}) {
    EXPECT_TRUE(station->await("s1", 400));
    EXPECT_TRUE(station->await("s2", 400));
  }
}

TEST_P(Delivery, TakesAnySize) {
  connect();
  std::uint64_t message = 0;
  for (const std::size_t size : {1, 7, 8, 16777216, 24, 65, 4096, 1048577, 100, 16777216, 1}) {
    ASSERT_TRUE(a_.publish("p", 1, size)) << size;
    ASSERT_EQ(b_.take("s", 2), Numbers{message++}) << size;
  }
}

TEST_P(Delivery, PublishesCopiesAndAllocations) {
  connect();
  for (int round = 0; round < 50; ++round) {
    ASSERT_TRUE(a_.publish("p", 2, 1000, Way::kCopy));
    ASSERT_TRUE(a_.publish("p", 3, 2000, Way::kAllocation));
    ASSERT_TRUE(b_.await("s", 5));
  }
}

TEST_P(Delivery, KeepsTheLastMessagesAndCountsTheRest) {
  for (const std::uint32_t depth : {1, 2, 3, 10}) {
    connect({.depth = 5}, {.depth = depth});
    ASSERT_TRUE(a_.publish("p", 30, 64));
    EXPECT_EQ(b_.take("s", 100), range(30 - depth, 30));
    EXPECT_EQ(b_.lost("s"), 30 - depth);
    a_.close("p");
    b_.close("s");
  }
}

TEST_P(Delivery, StartsVolatileLateJoinersAtTheHead) {
  ASSERT_TRUE(a_.create_publisher("p", "topic", {.depth = 10, .transient = true}));
  ASSERT_TRUE(a_.publish("p", 5, 64));
  ASSERT_TRUE(b_.create_subscription("s", "topic", {.depth = 10}));
  ASSERT_TRUE(matched(1));
  ASSERT_TRUE(a_.publish("p", 1, 64));
  EXPECT_EQ(b_.take("s", 10), Numbers{5});
  EXPECT_EQ(b_.lost("s"), 0U);
}

TEST_P(Delivery, GivesHistoryToTransientLocalLateJoiners) {
  ASSERT_TRUE(a_.create_publisher("p", "topic", {.depth = 5, .transient = true}));
  ASSERT_TRUE(a_.publish("p", 900, 64));
  ASSERT_TRUE(b_.create_subscription("s", "topic", {.depth = 10, .transient = true}));
  ASSERT_TRUE(b_.create_subscription("two", "topic", {.depth = 2, .transient = true}));
  ASSERT_TRUE(a_.until_matched("p", 2) && b_.until_matched("s", 1) && b_.until_matched("two", 1));
  EXPECT_EQ(b_.take("s", 10), range(895, 900));
  EXPECT_EQ(b_.take("two", 10), range(898, 900));
  EXPECT_EQ(b_.lost("s"), 0U);
}

TEST_P(Delivery, GivesKeepAllHistoryAndForgetsTheOldestBeyondTheLimit) {
  ASSERT_TRUE(a_.create_publisher("p", "topic", {.keep_all = true, .transient = true}));
  ASSERT_TRUE(a_.publish("p", 300, 64));
  ASSERT_TRUE(b_.create_subscription("s", "topic", {.keep_all = true, .transient = true}));
  ASSERT_TRUE(matched(1));
  ASSERT_TRUE(b_.await("s", 300));
  EXPECT_EQ(a_.forgotten("p"), 0U);
  b_.close("s");
  ASSERT_TRUE(a_.until_matched("p", 0));
  ASSERT_TRUE(a_.publish("p", 16000, 8));
  const std::uint64_t forgotten = a_.forgotten("p");
  EXPECT_GE(forgotten, 300U);
  EXPECT_LE(forgotten, 6300U);  // at least 10,000 are kept
  ASSERT_TRUE(b_.create_subscription("s", "topic", {.keep_all = true, .transient = true}));
  ASSERT_TRUE(matched(1));
  EXPECT_EQ(b_.take("s", 20000), range(forgotten, 16300));
}

TEST_P(Delivery, WaitsForReliableKeepAllReadersAndTimesOut) {
  connect({.keep_all = true, .block = 50ms}, {.keep_all = true});
  const Outcome refused = a_.publish("p", 17000, 8);
  ASSERT_TRUE(refused.is(PublishError::kTimeout)) << refused;
  const std::uint64_t published = a_.published("p");
  EXPECT_GE(published, 10000U);
  ASSERT_TRUE(b_.await("s", 10));
  ASSERT_TRUE(a_.publish("p", 10, 8));  // there is room again
  ASSERT_TRUE(b_.await("s", published));
  EXPECT_TRUE(b_.take("s", 1).empty());
  EXPECT_EQ(b_.lost("s"), 0U);
}

TEST_P(Delivery, DoesNotWaitForBestEffortReaders) {
  connect({.keep_all = true, .block = 50ms}, {.keep_all = true, .best_effort = true});
  ASSERT_TRUE(a_.publish("p", 40000, 8));
  const Numbers all = b_.take("s", 40000);
  ASSERT_FALSE(all.empty());
  EXPECT_EQ(all.back(), 39999U);
  EXPECT_EQ(b_.lost("s"), 40000 - all.size());
}

TEST_P(Delivery, LapsASlowReaderWithoutStallingOthers) {
  connect({.depth = 10}, {.depth = 10});
  ASSERT_TRUE(b_.create_subscription("slow", "topic", {.depth = 4}));
  ASSERT_TRUE(b_.until_matched("slow", 1) && a_.until_matched("p", 2));
  for (int round = 0; round < 200; ++round) {
    ASSERT_TRUE(a_.publish("p", 10, 1000));
    ASSERT_TRUE(b_.await("s", 10));
  }
  EXPECT_EQ(b_.lost("s"), 0U);
  EXPECT_EQ(b_.take("slow", 10), range(1996, 2000));
  EXPECT_EQ(b_.lost("slow"), 1996U);
  EXPECT_EQ(a_.failed_borrows("p"), 0U);
}

TEST_P(Delivery, SurvivesAReaderThatKeepsManyMessages) {
  connect({.depth = 10}, {.depth = 10, .quota = 2});
  ASSERT_TRUE(b_.create_subscription("other", "topic", {.depth = 10}));
  ASSERT_TRUE(b_.until_matched("other", 1) && a_.until_matched("p", 2));
  const int rounds = is_emulated() ? 30 : 300;
  for (int round = 0; round < rounds; ++round) {
    ASSERT_TRUE(a_.publish("p", 10, 1000));
    ASSERT_FALSE(b_.keep("s", 10).empty());
    ASSERT_TRUE(b_.await("other", 10));
  }
  EXPECT_TRUE(b_.check_kept(rounds * 10));
  EXPECT_EQ(a_.failed_borrows("p"), 0U);
  b_.drop_kept();
}

TEST_P(Delivery, GoesOnWhenAReaderLeaves) {
  connect({.depth = 10}, {.depth = 10});
  ASSERT_TRUE(a_.publish("p", 3, 64));
  b_.close("s");
  ASSERT_TRUE(a_.until_matched("p", 0));
  ASSERT_TRUE(a_.publish("p", 100, 64));
  ASSERT_TRUE(b_.create_subscription("s", "topic"));
  ASSERT_TRUE(matched(1));
  ASSERT_TRUE(a_.publish("p", 1, 64));
  EXPECT_EQ(b_.take("s", 10), Numbers{103});
}

TEST_P(Delivery, DrainsAPublisherThatCloses) {
  connect({.depth = 10}, {.depth = 10});
  ASSERT_TRUE(a_.publish("p", 3, 64));
  a_.close("p");
  EXPECT_TRUE(b_.await("s", 3));
  EXPECT_TRUE(b_.until_matched("s", 0));
}

TEST_P(Delivery, KeepsSamplesBeyondEverything) {
  connect({.depth = 10}, {.depth = 10});
  ASSERT_TRUE(a_.publish("p", 5, 100000));
  ASSERT_EQ(b_.keep("s", 5), range(0, 5));
  ASSERT_TRUE(a_.publish("p", 100, 100000));
  EXPECT_TRUE(b_.check_kept(5));
  b_.close("s");
  ASSERT_TRUE(a_.publish("p", 100, 100000));
  EXPECT_TRUE(b_.check_kept(5));
  a_.close("p");
  ASSERT_TRUE(a_.create_publisher("p", "topic"));
  ASSERT_TRUE(a_.publish("p", 100, 100000));
  EXPECT_TRUE(b_.check_kept(5));
  b_.drop_kept();
}

TEST_P(Delivery, FreesEverythingInTheEnd) {
  const std::size_t before = a_.in_use();
  connect({.depth = 10}, {.depth = 10});
  ASSERT_TRUE(a_.publish("p", 5, 100000));
  ASSERT_EQ(b_.keep("s", 3), range(0, 3));
  a_.close("p");
  b_.close("s");
  EXPECT_TRUE(b_.check_kept(3));
  b_.drop_kept();
  EXPECT_TRUE(wait_until([&] { return a_.in_use() == before; })) << a_.in_use() << " instead of " << before;
}

}  // namespace
}  // namespace tandem::test
