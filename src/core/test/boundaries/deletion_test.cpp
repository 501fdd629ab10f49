// Files deleted underneath, by systemd-logind or a zealous cleaner: those who are connected notice nothing, and whoever
// comes afterwards finds the others.
#include <gtest/gtest.h>
#include <signal.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <iostream>
#include <thread>

#include "guest.hpp"

namespace tandem::test {
namespace {

using Clock = std::chrono::steady_clock;

/// Each costs the seconds in which housekeeping looks around.
const unsigned kRounds = std::max(1U, static_cast<unsigned>(scale()));

class Deletion : public testing::Test {
 protected:
  Deletion() : a_(Place::kElsewhere), b_(Place::kElsewhere) {
    EXPECT_TRUE(a_.join(0));
    EXPECT_TRUE(b_.join(0));
    EXPECT_TRUE(connect(a_, b_, "topic", {.keep_all = true}));
  }
  void remove_all_of(const std::string & what) {
    if (what == "folder") {
      remove_all(folder_.path());
    } else if (what == "domain") {
      remove_all(folder_.path() + "/0");
    } else {
      for (const std::string & file : folder_.files(0, what)) {
        remove_all(file);
      }
    }
  }

  Folder folder_;
  Station a_;
  Station b_;
};

class DeletionOf : public Deletion, public testing::WithParamInterface<std::string> {};

TEST_P(DeletionOf, IsMendedForNewcomers) {
  double longest = 0;
  for (unsigned round = 0; round < kRounds; ++round) {
    ASSERT_TRUE(a_.publish("p", 10, 1000));
    remove_all_of(GetParam());
    const auto start = Clock::now();
    Station newcomer(Place::kElsewhere);
    ASSERT_TRUE(newcomer.join(0));
    ASSERT_TRUE(newcomer.create_subscription("s", "topic", {.keep_all = true}));
    ASSERT_TRUE(newcomer.until_matched("s", 1) && a_.until_matched("p", 2));
    const double seconds = std::chrono::duration<double>(Clock::now() - start).count();
    longest = std::max(longest, seconds);
    ASSERT_TRUE(a_.publish("p", 10, 1000));
    EXPECT_TRUE(b_.await("s", 20));
    EXPECT_EQ(newcomer.take("s", 1), range(round * 20 + 10, round * 20 + 11));
    EXPECT_EQ(newcomer.finish(), 0);
    ASSERT_TRUE(a_.until_matched("p", 1));
  }
  std::cout << "newcomers were connected " << longest << " s after the deletion at the latest" << std::endl;
  EXPECT_LT(longest, is_emulated() ? 40 : 10);  // the promise is 2 s on a machine that has time for us
  EXPECT_TRUE(b_.take("s", 1).empty());
  a_.child().kill();
  EXPECT_TRUE(b_.until_matched("s", 0));
  EXPECT_TRUE(wait_until([&] { return folder_.files(0, ".region").size() == 1; }));
}

INSTANTIATE_TEST_SUITE_P(Files, DeletionOf, testing::Values("folder", "domain", ".region", ".bell", "roster"),
                         [](const auto & info) {
                           std::string name = info.param;
                           name.erase(std::remove(name.begin(), name.end(), '.'), name.end());
                           return name;
                         });

TEST_F(Deletion, AgainAndAgainWhileMessagesFlow) {
  std::atomic<bool> done = false;
  std::thread cleaner([&] {
    while (!done) {
      remove_all(folder_.path());
      std::this_thread::sleep_for(std::chrono::milliseconds(20));
    }
  });
  // Longer than a few rounds of everybody's housekeeping.
  const int rounds = is_emulated() ? 20 : 120;
  std::string trouble;
  for (int round = 0; round < rounds && trouble.empty(); ++round) {
    if (!flows(a_, b_, 100, 1000)) {
      trouble = "lost in round " + std::to_string(round);
    }
    std::this_thread::sleep_for(std::chrono::milliseconds(10));
  }
  done = true;
  cleaner.join();
  EXPECT_EQ(trouble, "");
  EXPECT_TRUE(b_.take("s", 1).empty());
  Station newcomer(Place::kElsewhere);
  ASSERT_TRUE(newcomer.join(0));
  ASSERT_TRUE(newcomer.create_subscription("s", "topic"));
  ASSERT_TRUE(newcomer.until_matched("s", 1) && a_.until_matched("p", 2));
  EXPECT_TRUE(flows(a_, b_));
  EXPECT_FALSE(newcomer.take("s", 1).empty());
}

/// A process that has left and joined again has no names that the kernel would give back either.
TEST_F(Deletion, ByLeavingIsMendedByJoining) {
  for (int round = 0; round < 3; ++round) {
    a_.leave();
    ASSERT_TRUE(b_.until_matched("s", 0));
    ASSERT_TRUE(a_.join(0));
    ASSERT_TRUE(a_.create_publisher("p", "topic", {.keep_all = true}));
    ASSERT_TRUE(a_.until_matched("p", 1) && b_.until_matched("s", 1));
    ASSERT_TRUE(a_.publish("p", 3, 1000));
    EXPECT_TRUE(wait_until([&] { return b_.has_data("s"); }));
    EXPECT_EQ(b_.take("s", 9), range(0, 3));
  }
  // Whoever finds a name of the dead removes it, even if nobody has known the dead.
  a_.leave();
  ASSERT_TRUE(a_.join(0));
  a_.child().kill();
  b_.child().kill();
  Station next(Place::kElsewhere);
  ASSERT_TRUE(next.join(0));
  EXPECT_TRUE(wait_until([&] { return folder_.files(0, ".region").size() == 1; }));
  EXPECT_EQ(next.finish(), 0);
}

/// Nobody waits long for an owner who does not answer, nor forgets about him.
TEST_F(Deletion, OfAStoppedProcessIsMendedOnceItGoesOn) {
  a_.leave();
  ASSERT_TRUE(a_.join(0));
  ASSERT_TRUE(a_.create_publisher("p", "topic"));
  a_.child().signal(SIGSTOP);
  Station newcomer(Place::kElsewhere);
  ASSERT_TRUE(newcomer.join(0));
  ASSERT_TRUE(newcomer.create_subscription("s", "topic"));
  EXPECT_TRUE(wait_until([&] { return contains(newcomer.log(), "does not answer"); }));
  EXPECT_EQ(newcomer.matched("s"), 0U);
  a_.child().signal(SIGCONT);
  EXPECT_TRUE(newcomer.until_matched("s", 1));
}

}  // namespace
}  // namespace tandem::test
