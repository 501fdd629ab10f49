// What a user sees of delivery: order, depth, history, back-pressure; within a process and between two.
#include <gtest/gtest.h>

#include <algorithm>
#include <string>

#include "agent.hpp"

namespace tandem::test {
namespace {

/// Publishers on `a`, subscriptions on `b`, which is the same process or another one.
class Delivery : public testing::TestWithParam<bool> {
 protected:
  Delivery() : a_(false), b_(GetParam()) {
    EXPECT_EQ(a_("join 0"), "ok");
    EXPECT_EQ(b_("join 0"), "ok");
  }
  void connect(const std::string & publisher, const std::string & subscription) {
    ASSERT_EQ(a_("pub p topic " + publisher), "ok");
    ASSERT_EQ(b_("sub s topic " + subscription), "ok");
    ASSERT_TRUE(matched("1"));
  }
  bool matched(const std::string & count) { return a_.until("matched p", count) && b_.until("matched s", count); }

  Folder folder_;
  Station a_;
  Station b_;
};

INSTANTIATE_TEST_SUITE_P(, Delivery, testing::Bool(),
                         [](const auto & info) { return info.param ? "TwoProcesses" : "OneProcess"; });

TEST_P(Delivery, KeepsOrder) {
  connect("depth=100", "depth=100");
  for (int round = 0; round < 20; ++round) {
    ASSERT_EQ(a_("publish p 100 64"), "ok");
    ASSERT_EQ(b_("await s 100"), "ok");
  }
  EXPECT_EQ(b_("lost s"), "0");
}

TEST_P(Delivery, ReachesBestEffortReaders) {
  connect("best_effort", "best_effort");
  ASSERT_EQ(a_("publish p 5 64"), "ok");
  EXPECT_EQ(b_("await s 5"), "ok");
}

TEST_P(Delivery, ConnectsSeveralPublishersAndSubscriptions) {
  for (Station * station : {&a_, &b_}) {
    for (const char * name : {"p1", "p2"}) {
      ASSERT_EQ((*station)("pub " + std::string(name) + " many depth=200"), "ok");
    }
    for (const char * name : {"s1", "s2"}) {
      ASSERT_EQ((*station)("sub " + std::string(name) + " many depth=200"), "ok");
    }
  }
  for (Station * station : {&a_, &b_}) {
    for (const char * name : {"p1", "p2", "s1", "s2"}) {
      ASSERT_TRUE(station->until("matched " + std::string(name), "4")) << name;
    }
  }
  for (Station * station : {&a_, &b_}) {
    ASSERT_EQ((*station)("publish p1 100 64"), "ok");
    ASSERT_EQ((*station)("publish p2 100 1000"), "ok");
  }
  for (Station * station : {&a_, &b_}) {
    EXPECT_EQ((*station)("await s1 400"), "ok");
    EXPECT_EQ((*station)("await s2 400"), "ok");
  }
}

TEST_P(Delivery, TakesAnySize) {
  connect("", "");
  int message = 0;
  for (const char * size : {"1", "7", "8", "16777216", "24", "65", "4096", "1048577", "100", "16777216", "1"}) {
    ASSERT_EQ(a_("publish p 1 " + std::string(size)), "ok") << size;
    ASSERT_EQ(b_("take s 2"), std::to_string(message++)) << size;
  }
}

TEST_P(Delivery, PublishesCopiesAndAllocations) {
  connect("", "");
  for (int round = 0; round < 50; ++round) {
    ASSERT_EQ(a_("copy p 2 1000"), "ok");
    ASSERT_EQ(a_("adopt p 3 2000"), "ok");
    ASSERT_EQ(b_("await s 5"), "ok");
  }
}

TEST_P(Delivery, KeepsTheLastMessagesAndCountsTheRest) {
  for (const int depth : {1, 2, 3, 10}) {
    connect("depth=5", "depth=" + std::to_string(depth));
    ASSERT_EQ(a_("publish p 30 64"), "ok");
    std::string wanted;
    for (int i = 30 - depth; i < 30; ++i) {
      wanted += (wanted.empty() ? "" : " ") + std::to_string(i);
    }
    EXPECT_EQ(b_("take s 100"), wanted);
    EXPECT_EQ(b_("lost s"), std::to_string(30 - depth));
    ASSERT_EQ(a_("close p"), "ok");
    ASSERT_EQ(b_("close s"), "ok");
  }
}

TEST_P(Delivery, StartsVolatileLateJoinersAtTheHead) {
  ASSERT_EQ(a_("pub p topic transient depth=10"), "ok");
  ASSERT_EQ(a_("publish p 5 64"), "ok");
  ASSERT_EQ(b_("sub s topic depth=10"), "ok");
  ASSERT_TRUE(matched("1"));
  ASSERT_EQ(a_("publish p 1 64"), "ok");
  EXPECT_EQ(b_("take s 10"), "5");
  EXPECT_EQ(b_("lost s"), "0");
}

TEST_P(Delivery, GivesHistoryToTransientLocalLateJoiners) {
  ASSERT_EQ(a_("pub p topic transient depth=5"), "ok");
  ASSERT_EQ(a_("publish p 900 64"), "ok");
  ASSERT_EQ(b_("sub s topic transient depth=10"), "ok");
  ASSERT_EQ(b_("sub two topic transient depth=2"), "ok");
  ASSERT_TRUE(a_.until("matched p", "2") && b_.until("matched s", "1") && b_.until("matched two", "1"));
  EXPECT_EQ(b_("take s 10"), "895 896 897 898 899");
  EXPECT_EQ(b_("take two 10"), "898 899");
  EXPECT_EQ(b_("lost s"), "0");
}

TEST_P(Delivery, GivesKeepAllHistoryAndForgetsTheOldestBeyondTheLimit) {
  ASSERT_EQ(a_("pub p topic transient keep_all"), "ok");
  ASSERT_EQ(a_("publish p 300 64"), "ok");
  ASSERT_EQ(b_("sub s topic transient keep_all"), "ok");
  ASSERT_TRUE(matched("1"));
  ASSERT_EQ(b_("await s 300"), "ok");
  EXPECT_EQ(a_("forgotten p"), "0");
  ASSERT_EQ(b_("close s"), "ok");
  ASSERT_TRUE(a_.until("matched p", "0"));
  ASSERT_EQ(a_("publish p 16000 8"), "ok");
  const auto forgotten = std::stoul(a_("forgotten p"));
  EXPECT_GE(forgotten, 300U);
  EXPECT_LE(forgotten, 6300U);  // at least 10,000 are kept
  ASSERT_EQ(b_("sub s topic transient keep_all"), "ok");
  ASSERT_TRUE(matched("1"));
  const std::string all = b_("take s 20000");
  EXPECT_EQ(std::count(all.begin(), all.end(), ' ') + 1, 16300 - static_cast<long>(forgotten));
  EXPECT_EQ(all.substr(0, all.find(' ')), std::to_string(forgotten));
}

TEST_P(Delivery, WaitsForReliableKeepAllReadersAndTimesOut) {
  connect("keep_all block=50", "keep_all");
  const std::string answer = a_("publish p 17000 8");
  ASSERT_EQ(answer.rfind("error publish", 0), 0U) << answer;
  const auto published = std::stoul(answer.substr(answer.rfind(' ')));
  EXPECT_GE(published, 10000U);
  ASSERT_EQ(b_("await s 10"), "ok");
  ASSERT_EQ(a_("publish p 10 8"), "ok");  // there is room again
  ASSERT_EQ(b_("await s " + std::to_string(published)), "ok");
  EXPECT_EQ(b_("take s 1"), "nothing");
  EXPECT_EQ(b_("lost s"), "0");
}

TEST_P(Delivery, DoesNotWaitForBestEffortReaders) {
  connect("keep_all block=50", "keep_all best_effort");
  ASSERT_EQ(a_("publish p 40000 8"), "ok");
  const std::string all = b_("take s 40000");
  const auto got = std::count(all.begin(), all.end(), ' ') + 1;
  EXPECT_EQ(all.substr(all.rfind(' ') + 1), "39999");
  EXPECT_EQ(b_("lost s"), std::to_string(40000 - got));
}

TEST_P(Delivery, LapsASlowReaderWithoutStallingOthers) {
  connect("depth=10", "depth=10");
  ASSERT_EQ(b_("sub slow topic depth=4"), "ok");
  ASSERT_TRUE(b_.until("matched slow", "1") && a_.until("matched p", "2"));
  for (int round = 0; round < 200; ++round) {
    ASSERT_EQ(a_("publish p 10 1000"), "ok");
    ASSERT_EQ(b_("await s 10"), "ok");
  }
  EXPECT_EQ(b_("lost s"), "0");
  EXPECT_EQ(b_("take slow 10"), "1996 1997 1998 1999");
  EXPECT_EQ(b_("lost slow"), "1996");
  EXPECT_EQ(a_("failed p"), "0");
}

TEST_P(Delivery, SurvivesAReaderThatKeepsManyMessages) {
  connect("depth=10", "depth=10 quota=2");
  ASSERT_EQ(b_("sub other topic depth=10"), "ok");
  ASSERT_TRUE(b_.until("matched other", "1") && a_.until("matched p", "2"));
  const int rounds = is_emulated() ? 30 : 300;
  for (int round = 0; round < rounds; ++round) {
    ASSERT_EQ(a_("publish p 10 1000"), "ok");
    ASSERT_NE(b_("keep s 10"), "nothing");
    ASSERT_EQ(b_("await other 10"), "ok");
  }
  EXPECT_EQ(b_("check"), std::to_string(rounds * 10));
  EXPECT_EQ(a_("failed p"), "0");
  EXPECT_EQ(b_("drop"), "ok");
}

TEST_P(Delivery, GoesOnWhenAReaderLeaves) {
  connect("depth=10", "depth=10");
  ASSERT_EQ(a_("publish p 3 64"), "ok");
  ASSERT_EQ(b_("close s"), "ok");
  ASSERT_TRUE(a_.until("matched p", "0"));
  ASSERT_EQ(a_("publish p 100 64"), "ok");
  ASSERT_EQ(b_("sub s topic"), "ok");
  ASSERT_TRUE(matched("1"));
  ASSERT_EQ(a_("publish p 1 64"), "ok");
  EXPECT_EQ(b_("take s 10"), "103");
}

TEST_P(Delivery, DrainsAPublisherThatCloses) {
  connect("depth=10", "depth=10");
  ASSERT_EQ(a_("publish p 3 64"), "ok");
  ASSERT_EQ(a_("close p"), "ok");
  EXPECT_EQ(b_("await s 3"), "ok");
  EXPECT_TRUE(b_.until("matched s", "0"));
}

TEST_P(Delivery, KeepsSamplesBeyondEverything) {
  connect("depth=10", "depth=10");
  ASSERT_EQ(a_("publish p 5 100000"), "ok");
  ASSERT_EQ(b_("keep s 5"), "0 1 2 3 4");
  ASSERT_EQ(a_("publish p 100 100000"), "ok");
  EXPECT_EQ(b_("check"), "5");
  ASSERT_EQ(b_("close s"), "ok");
  ASSERT_EQ(a_("publish p 100 100000"), "ok");
  EXPECT_EQ(b_("check"), "5");
  ASSERT_EQ(a_("close p"), "ok");
  ASSERT_EQ(a_("pub p topic"), "ok");
  ASSERT_EQ(a_("publish p 100 100000"), "ok");
  EXPECT_EQ(b_("check"), "5");
  EXPECT_EQ(b_("drop"), "ok");
}

TEST_P(Delivery, FreesEverythingInTheEnd) {
  const std::string before = a_("in_use");
  connect("depth=10", "depth=10");
  ASSERT_EQ(a_("publish p 5 100000"), "ok");
  ASSERT_EQ(b_("keep s 3"), "0 1 2");
  ASSERT_EQ(a_("close p"), "ok");
  ASSERT_EQ(b_("close s"), "ok");
  EXPECT_EQ(b_("check"), "3");
  EXPECT_EQ(b_("drop"), "ok");
  EXPECT_TRUE(a_.until("in_use", before)) << a_("in_use") << " instead of " << before;
}

}  // namespace
}  // namespace tandem::test
