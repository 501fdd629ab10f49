// Processes that are killed, stopped or forked, and what the others notice of it: nothing.
#include <gtest/gtest.h>
#include <signal.h>
#include <unistd.h>

#include <algorithm>
#include <string>

#include "agent.hpp"

namespace tandem::test {
namespace {

class Death : public testing::Test {
 protected:
  Death() : a_(true), b_(true) {
    EXPECT_EQ(a_("join 0"), "ok");
    EXPECT_EQ(b_("join 0"), "ok");
  }
  void connect(const std::string & publisher, const std::string & subscription) {
    ASSERT_EQ(a_("pub p topic " + publisher), "ok");
    ASSERT_EQ(b_("sub s topic " + subscription), "ok");
    ASSERT_TRUE(a_.until("matched p", "1") && b_.until("matched s", "1"));
  }
  bool regions_are(std::size_t count) {
    return wait_until([&] { return folder_.files(0, ".region").size() == count; });
  }

  Folder folder_;
  Station a_;
  Station b_;
};

TEST_F(Death, OfAPublisherLeavesItsMessages) {
  connect("", "");
  ASSERT_EQ(a_("publish p 3 100000"), "ok");
  ASSERT_EQ(b_("keep s 1"), "0");
  a_.child().kill();
  EXPECT_EQ(b_("keep s 10"), "1 2");
  EXPECT_TRUE(regions_are(1));
  EXPECT_TRUE(b_.until("matched s", "0"));
  EXPECT_EQ(b_("check"), "3");
  Station again(true);
  ASSERT_EQ(again("join 0"), "ok");
  ASSERT_EQ(again("pub p topic"), "ok");
  ASSERT_TRUE(again.until("matched p", "1") && b_.until("matched s", "1"));
  ASSERT_EQ(again("publish p 2 100000"), "ok");
  EXPECT_EQ(b_("await s 2"), "ok");
  EXPECT_EQ(b_("check"), "3");
  EXPECT_EQ(b_("drop"), "ok");
}

TEST_F(Death, OfAPublisherIsDrainedEvenAfterItIsNoticed) {
  connect("", "");
  ASSERT_EQ(a_("publish p 5 100"), "ok");
  a_.child().kill();
  EXPECT_TRUE(regions_are(1));
  EXPECT_EQ(b_("take s 10"), "0 1 2 3 4");
  EXPECT_TRUE(b_.until("matched s", "0"));
}

TEST_F(Death, OfAReaderGivesItsMessagesBack) {
  connect("depth=1 loans=1", "depth=1");
  ASSERT_EQ(a_("publish p 1 100000"), "ok");
  ASSERT_EQ(b_("keep s 1"), "0");
  b_.child().kill();
  ASSERT_TRUE(a_.until("matched p", "0"));
  ASSERT_EQ(a_("publish p 3000 100000"), "ok");
  EXPECT_EQ(a_("failed p"), "0");
  Station again(true);
  ASSERT_EQ(again("join 0"), "ok");
  ASSERT_EQ(again("sub s topic"), "ok");
  ASSERT_TRUE(a_.until("matched p", "1") && again.until("matched s", "1"));
  ASSERT_EQ(a_("publish p 1 100000"), "ok");
  EXPECT_EQ(again("take s 10"), "3001");
}

TEST_F(Death, OfAReaderThatIsOwedEverythingFreesThePublisher) {
  connect("keep_all block=60000", "keep_all");
  b_.child().kill();
  // Far more than fits: were the dead one waited for, this would be refused after a minute.
  EXPECT_EQ(a_("publish p 40000 8"), "ok");
}

TEST_F(Death, WhileAPublisherWaitsForIt) {
  connect("keep_all block=60000", "keep_all");
  a_.child().tell("publish p 20000 8");
  ASSERT_TRUE(b_.until("has_data s", "yes"));
  b_.child().kill();
  EXPECT_EQ(a_.child().read_line(), "ok");
}

TEST_F(Death, IsNotAStop) {
  connect("depth=10", "depth=10");
  Station other(true);
  ASSERT_EQ(other("join 0"), "ok");
  ASSERT_EQ(other("sub s topic depth=10"), "ok");
  ASSERT_TRUE(a_.until("matched p", "2") && other.until("matched s", "1"));
  ASSERT_EQ(a_("publish p 2 64"), "ok");
  b_.child().signal(SIGSTOP);
  ASSERT_EQ(other("await s 2"), "ok");
  for (int round = 0; round < 100; ++round) {
    ASSERT_EQ(a_("publish p 10 10000"), "ok");
    ASSERT_EQ(other("await s 10"), "ok");
  }
  EXPECT_EQ(a_("matched p"), "2");
  b_.child().signal(SIGCONT);
  EXPECT_EQ(b_("take s 100"), "992 993 994 995 996 997 998 999 1000 1001");
  EXPECT_EQ(b_("lost s"), "992");
  EXPECT_EQ(other("lost s"), "0");
}

TEST_F(Death, OfAStoppedPublisherIsNotAssumed) {
  connect("", "");
  ASSERT_EQ(a_("publish p 1 64"), "ok");
  a_.child().signal(SIGSTOP);
  EXPECT_EQ(b_("await s 1"), "ok");
  ASSERT_EQ(b_("settle").substr(0, 2), "ok");
  EXPECT_EQ(b_("matched s"), "1");
  a_.child().signal(SIGCONT);
  ASSERT_EQ(a_("publish p 1 64"), "ok");
  EXPECT_EQ(b_("await s 1"), "ok");
}

TEST_F(Death, CleanEndsLeaveNothing) {
  connect("", "");
  ASSERT_EQ(a_("publish p 10 100000"), "ok");
  ASSERT_EQ(b_("keep s 2"), "0 1");
  EXPECT_EQ(a_.finish(), 0);
  EXPECT_EQ(b_("check"), "2");
  EXPECT_EQ(b_.finish(), 0);
  EXPECT_TRUE(regions_are(0));
  EXPECT_TRUE(wait_until([&] { return folder_.files(0, "").size() <= 1; }));  // the roster at most
}

TEST_F(Death, WhatTheLastOneLeavesIsRemovedByTheNext) {
  connect("", "");
  a_.child().kill();
  b_.child().kill();
  Station next(true);
  ASSERT_EQ(next("join 0"), "ok");
  EXPECT_TRUE(regions_are(1));
  EXPECT_EQ(next("processes"), "1 0 0");
  EXPECT_EQ(next.finish(), 0);
  EXPECT_TRUE(regions_are(0));
}

TEST_F(Death, InAStormOfKillsTheFlowGoesOn) {
  ASSERT_EQ(a_("pub p topic depth=10"), "ok");
  ASSERT_EQ(b_("sub s topic depth=10"), "ok");
  ASSERT_TRUE(a_.until("matched p", "1") && b_.until("matched s", "1"));
  const int rounds = std::max(3, static_cast<int>(20 * scale()));
  for (int round = 0; round < rounds; ++round) {
    Station guest(true);
    guest.child().tell("join 0");
    guest.child().tell(round % 2 == 0 ? "sub s topic" : "pub p topic");
    for (int i = 0; i < round % 5; ++i) {
      guest.child().read_line(0.002);  // killed at some stage of its joining
    }
    if (round % 2 == 1) {
      guest.child().tell("publish p 1000000 5000");
    }
    ASSERT_EQ(a_("publish p 10 5000"), "ok");
    guest.child().kill();
    std::string taken;
    ASSERT_TRUE(wait_until([&] { return (taken = b_("take s 1000")) != "nothing"; }));
    EXPECT_EQ(taken.find("torn"), std::string::npos) << taken;
  }
  EXPECT_TRUE(regions_are(2));
  ASSERT_TRUE(a_.until("matched p", "1") && b_.until("matched s", "1"));
  while (b_("take s 1000") != "nothing") {
  }
  ASSERT_EQ(a_("publish p 1 64"), "ok");
  EXPECT_EQ(b_("take s 10"), std::to_string(rounds * 10));
}

// The role "fork" (main.cpp) does the work and says what it finds.
TEST_F(Death, AForkedChildReadsAndMayJoinAnew) {
  ASSERT_EQ(b_("sub s topic depth=10 transient"), "ok");
  Child forker("fork");
  EXPECT_EQ(forker.read_line(), "parent: published");
  EXPECT_EQ(b_("await s 1"), "ok");
  const bool rejoin = may_start_threads_after_fork();
  forker.tell(rejoin ? "fork" : "fork_only");
  EXPECT_EQ(forker.read_line(), "child: reads what it had");
  EXPECT_EQ(forker.read_line(), "child: publishes nothing");
  if (rejoin) {
    EXPECT_EQ(forker.read_line(), "child: joined anew");
    EXPECT_EQ(b_("await s 1"), "ok");  // from the child's own publisher
  }
  EXPECT_EQ(forker.read_line(), "parent: child ended with 0");
  EXPECT_EQ(forker.read_line(), "parent: published");
  EXPECT_EQ(b_("await s 1"), "ok");
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
