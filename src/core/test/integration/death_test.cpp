// Processes that are killed, stopped or forked, and what the others notice of it: nothing.
#include <gtest/gtest.h>
#include <signal.h>
#include <unistd.h>

#include <algorithm>
#include <string>

#include "station.hpp"

namespace tandem::test {
namespace {

class Death : public testing::Test {
 protected:
  Death() : a_(Place::kElsewhere), b_(Place::kElsewhere) {
    EXPECT_TRUE(a_.join(0));
    EXPECT_TRUE(b_.join(0));
  }
  void connect(const EndpointOptions & publisher = {}, const EndpointOptions & subscription = {}) {
    ASSERT_TRUE(a_.create_publisher("p", "topic", publisher));
    ASSERT_TRUE(b_.create_subscription("s", "topic", subscription));
    ASSERT_TRUE(a_.until_matched("p", 1) && b_.until_matched("s", 1));
  }
  bool regions_are(std::size_t count) {
    return wait_until([&] { return folder_.files(0, ".region").size() == count; });
  }

  Folder folder_;
  Station a_;
  Station b_;
};

TEST_F(Death, OfAPublisherLeavesItsMessages) {
  connect();
  ASSERT_TRUE(a_.publish("p", 3, 100000));
  ASSERT_EQ(b_.keep("s", 1), Numbers{0});
  a_.child().kill();
  EXPECT_EQ(b_.keep("s", 10), range(1, 3));
  EXPECT_TRUE(regions_are(1));
  EXPECT_TRUE(b_.until_matched("s", 0));
  EXPECT_TRUE(b_.check_kept(3));
  Station again(Place::kElsewhere);
  ASSERT_TRUE(again.join(0));
  ASSERT_TRUE(again.create_publisher("p", "topic"));
  ASSERT_TRUE(again.until_matched("p", 1) && b_.until_matched("s", 1));
  ASSERT_TRUE(again.publish("p", 2, 100000));
  EXPECT_TRUE(b_.await("s", 2));
  EXPECT_TRUE(b_.check_kept(3));
  b_.drop_kept();
}

TEST_F(Death, OfAPublisherIsDrainedEvenAfterItIsNoticed) {
  connect();
  ASSERT_TRUE(a_.publish("p", 5, 100));
  a_.child().kill();
  EXPECT_TRUE(regions_are(1));
  EXPECT_EQ(b_.take("s", 10), range(0, 5));
  EXPECT_TRUE(b_.until_matched("s", 0));
}

TEST_F(Death, OfAReaderGivesItsMessagesBack) {
  connect({.depth = 1, .loans = 1}, {.depth = 1});
  ASSERT_TRUE(a_.publish("p", 1, 100000));
  ASSERT_EQ(b_.keep("s", 1), Numbers{0});
  b_.child().kill();
  ASSERT_TRUE(a_.until_matched("p", 0));
  ASSERT_TRUE(a_.publish("p", 3000, 100000));
  EXPECT_EQ(a_.failed_borrows("p"), 0U);
  Station again(Place::kElsewhere);
  ASSERT_TRUE(again.join(0));
  ASSERT_TRUE(again.create_subscription("s", "topic"));
  ASSERT_TRUE(a_.until_matched("p", 1) && again.until_matched("s", 1));
  ASSERT_TRUE(a_.publish("p", 1, 100000));
  EXPECT_EQ(again.take("s", 10), Numbers{3001});
}

TEST_F(Death, OfAReaderThatIsOwedEverythingFreesThePublisher) {
  connect({.keep_all = true, .block = 60s}, {.keep_all = true});
  b_.child().kill();
  // Far more than fits: were the dead one waited for, this would be refused after a minute.
  EXPECT_TRUE(a_.publish("p", 40000, 8));
}

TEST_F(Death, WhileAPublisherWaitsForIt) {
  connect({.keep_all = true, .block = 60s}, {.keep_all = true});
  auto publishing = a_.start<&User::publish>("p", 20000, 8, Way::kLoan);
  ASSERT_TRUE(wait_until([&] { return b_.has_data("s"); }));
  b_.child().kill();
  EXPECT_TRUE(publishing.get());
}

TEST_F(Death, IsNotAStop) {
  connect({.depth = 10}, {.depth = 10});
  Station other(Place::kElsewhere);
  ASSERT_TRUE(other.join(0));
  ASSERT_TRUE(other.create_subscription("s", "topic", {.depth = 10}));
  ASSERT_TRUE(a_.until_matched("p", 2) && other.until_matched("s", 1));
  ASSERT_TRUE(a_.publish("p", 2, 64));
  b_.child().signal(SIGSTOP);
  ASSERT_TRUE(other.await("s", 2));
  for (int round = 0; round < 100; ++round) {
    ASSERT_TRUE(a_.publish("p", 10, 10000));
    ASSERT_TRUE(other.await("s", 10));
  }
  EXPECT_EQ(a_.matched("p"), 2U);
  b_.child().signal(SIGCONT);
  EXPECT_EQ(b_.take("s", 100), range(992, 1002));
  EXPECT_EQ(b_.lost("s"), 992U);
  EXPECT_EQ(other.lost("s"), 0U);
}

TEST_F(Death, OfAStoppedPublisherIsNotAssumed) {
  connect();
  ASSERT_TRUE(a_.publish("p", 1, 64));
  a_.child().signal(SIGSTOP);
  EXPECT_TRUE(b_.await("s", 1));
  ASSERT_TRUE(b_.settle());
  EXPECT_EQ(b_.matched("s"), 1U);
  a_.child().signal(SIGCONT);
  ASSERT_TRUE(a_.publish("p", 1, 64));
  EXPECT_TRUE(b_.await("s", 1));
}

TEST_F(Death, CleanEndsLeaveNothing) {
  connect();
  ASSERT_TRUE(a_.publish("p", 10, 100000));
  ASSERT_EQ(b_.keep("s", 2), range(0, 2));
  EXPECT_EQ(a_.finish(), 0);
  EXPECT_TRUE(b_.check_kept(2));
  EXPECT_EQ(b_.finish(), 0);
  EXPECT_TRUE(regions_are(0));
  EXPECT_TRUE(wait_until([&] { return folder_.files(0, "").size() <= 1; }));  // the roster at most
}

TEST_F(Death, WhatTheLastOneLeavesIsRemovedByTheNext) {
  connect();
  a_.child().kill();
  b_.child().kill();
  Station next(Place::kElsewhere);
  ASSERT_TRUE(next.join(0));
  EXPECT_TRUE(regions_are(1));
  EXPECT_EQ(next.graph_size(), (GraphSize{1, 0, 0}));
  EXPECT_EQ(next.finish(), 0);
  EXPECT_TRUE(regions_are(0));
}

TEST_F(Death, InAStormOfKillsTheFlowGoesOn) {
  ASSERT_TRUE(a_.create_publisher("p", "topic", {.depth = 10}));
  ASSERT_TRUE(b_.create_subscription("s", "topic", {.depth = 10}));
  ASSERT_TRUE(a_.until_matched("p", 1) && b_.until_matched("s", 1));
  const auto rounds = std::max<std::uint64_t>(3, static_cast<std::uint64_t>(20 * scale()));
  for (std::uint64_t round = 0; round < rounds; ++round) {
    Station guest(Place::kElsewhere);
    guest.start<&User::join>(0);
    auto making = round % 2 == 0 ? guest.start<&User::create_subscription>("s", "topic", EndpointOptions{})
                                 : guest.start<&User::create_publisher>("p", "topic", EndpointOptions{});
    for (std::uint64_t i = 0; i < round % 5; ++i) {
      making.is_done(0.002);  // killed at some stage of its joining
    }
    if (round % 2 == 1) {
      guest.start<&User::publish>("p", 1000000, 5000, Way::kLoan);
    }
    ASSERT_TRUE(a_.publish("p", 10, 5000));
    guest.child().kill();
    Numbers taken;
    ASSERT_TRUE(wait_until([&] { return !(taken = b_.take("s", 1000)).empty(); }));
    EXPECT_EQ(std::count(taken.begin(), taken.end(), kTorn), 0) << testing::PrintToString(taken);
  }
  EXPECT_TRUE(regions_are(2));
  ASSERT_TRUE(a_.until_matched("p", 1) && b_.until_matched("s", 1));
  while (!b_.take("s", 1000).empty()) {
  }
  ASSERT_TRUE(a_.publish("p", 1, 64));
  EXPECT_EQ(b_.take("s", 10), Numbers{rounds * 10});
}

// The role "fork" (main.cpp) does the work and says what it finds.
TEST_F(Death, AForkedChildReadsAndMayJoinAnew) {
  ASSERT_TRUE(b_.create_subscription("s", "topic", {.depth = 10, .transient = true}));
  Child forker("fork");
  EXPECT_EQ(forker.read_line(), "parent: published");
  EXPECT_TRUE(b_.await("s", 1));
  const bool rejoin = may_start_threads_after_fork();
  forker.tell(rejoin ? "fork" : "fork_only");
  EXPECT_EQ(forker.read_line(), "child: reads what it had");
  EXPECT_EQ(forker.read_line(), "child: publishes nothing");
  if (rejoin) {
    EXPECT_EQ(forker.read_line(), "child: joined anew");
    EXPECT_TRUE(b_.await("s", 1));  // from the child's own publisher
  }
  EXPECT_EQ(forker.read_line(), "parent: child ended with 0");
  EXPECT_EQ(forker.read_line(), "parent: published");
  EXPECT_TRUE(b_.await("s", 1));
  EXPECT_EQ(forker.finish(), 0);
  EXPECT_TRUE(regions_are(2));
}

TEST_F(Death, AForkedChildKeepsNobodyAlive) {
  Child forker("fork");
  EXPECT_EQ(forker.read_line(), "parent: published");
  EXPECT_TRUE(regions_are(3));
  forker.tell("linger");
  const pid_t child = std::stoi(forker.read_line());
  forker.kill();
  EXPECT_TRUE(regions_are(2));
  EXPECT_EQ(::kill(child, 0), 0) << "the forked child should have lived on";
  ::kill(child, SIGKILL);
}

}  // namespace
}  // namespace tandem::test
