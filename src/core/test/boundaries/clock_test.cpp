// The wall clock jumps by hours while messages flow and waits run. Nothing but time stamps depends on it.
#include <gtest/gtest.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include <atomic>
#include <chrono>
#include <iostream>
#include <thread>

#include "guest.hpp"
#include "tandem/participant.hpp"

namespace {

std::atomic<std::int64_t> ahead = 0;  ///< seconds of this process's CLOCK_REALTIME

}  // namespace

/// The library calls this one: a function of the program goes before the C library's.
extern "C" int clock_gettime(clockid_t clock, timespec * time) noexcept {
  const auto result = static_cast<int>(syscall(SYS_clock_gettime, clock, time));
  if ((clock == CLOCK_REALTIME || clock == CLOCK_REALTIME_COARSE) && result == 0) {
    time->tv_sec += ahead.load(std::memory_order_relaxed);
  }
  return result;
}

namespace tandem::test {

int run_clocked(const std::vector<std::string> &) {
  Agent agent;
  std::atomic<bool> done = false;
  std::thread stepper;
  for (std::string line; std::getline(std::cin, line);) {
    if (line.rfind("step ", 0) == 0) {
      ahead = std::stol(line.substr(5));
      std::cout << "ok" << std::endl;
    } else if (line == "restless") {
      stepper = std::thread([&done] {
        for (unsigned i = 0; !done; ++i) {
          ahead = (i % 2 == 0 ? 1 : -1) * static_cast<std::int64_t>(3600 * (1 + i % 24));
          std::this_thread::sleep_for(std::chrono::milliseconds(1));
        }
      });
      std::cout << "ok" << std::endl;
    } else {
      std::cout << agent.execute(line) << std::endl;
    }
  }
  done = true;
  if (stepper.joinable()) {
    stepper.join();
  }
  return 0;
}

namespace {

class ClockSteps : public testing::Test {
 protected:
  ClockSteps() : a_("clock"), b_("clock") {
    EXPECT_EQ(a_("join 0"), "ok");
    EXPECT_EQ(b_("join 0"), "ok");
  }

  const Folder folder_;
  Guest a_;
  Guest b_;
};

TEST_F(ClockSteps, AreSeenInTimeStampsOnly) {
  const auto participant = Participant::join(0);
  ASSERT_TRUE(participant);
  const auto in = std::move(*participant->create_subscription(subscription_options("topic")));
  ASSERT_EQ(a_("pub p topic"), "ok");
  ASSERT_TRUE(wait_until([&] { return in->matched_count() == 1; }) && a_.until("matched p", "1"));
  for (const std::int64_t hours : {0, 5, -5, 100'000, -100}) {
    ASSERT_EQ(a_("step " + std::to_string(hours * 3600)), "ok");
    ASSERT_EQ(a_("publish p 1 64"), "ok");
    Sample sample;
    ASSERT_TRUE(wait_until([&] { return static_cast<bool>(sample = in->take()); }));
    const double seconds = static_cast<double>(sample.source_timestamp()) / 1e9 - static_cast<double>(time(nullptr));
    EXPECT_NEAR(seconds / 3600, static_cast<double>(hours), 0.2);
  }
}

TEST_F(ClockSteps, DisturbNoFlowAndNoWait) {
  ASSERT_EQ(a_("restless") + b_("restless"), "okok");
  ASSERT_TRUE(connect(a_, b_, "topic", "keep_all"));
  ASSERT_EQ(b_("set w"), "ok");
  ASSERT_EQ(b_("attach w s"), "ok");
  EXPECT_EQ(b_("wait w 50"), "timeout");
  for (int round = 0; round < 10; ++round) {
    b_.child().tell("wait w 60000");
    ASSERT_EQ(a_("publish p 100 1000"), "ok");
    ASSERT_EQ(b_.child().read_line(), "ready");
    ASSERT_EQ(b_("await s 100"), "ok");
  }
  EXPECT_EQ(b_("lost s"), "0");
}

TEST_F(ClockSteps, NeitherEndNorProlongABlockingPublish) {
  ASSERT_EQ(a_("restless") + b_("restless"), "okok");
  ASSERT_TRUE(connect(a_, b_, "topic", "keep_all block=60000"));
  a_.child().tell("publish p 20000 8");  // more than fits: it waits
  ASSERT_TRUE(b_.until("has_data s", "yes"));
  ASSERT_EQ(b_("await s 20000"), "ok");
  ASSERT_EQ(a_.child().read_line(), "ok");
  // And a limit is a limit: with steps of hours and no reader, this would take hours otherwise.
  ASSERT_EQ(a_("close p"), "ok");
  ASSERT_EQ(a_("pub p other keep_all block=300"), "ok");
  ASSERT_EQ(b_("sub t other keep_all"), "ok");
  ASSERT_TRUE(a_.until("matched p", "1"));
  const std::string answer = a_("publish p 20000 8");
  EXPECT_NE(answer.find("within max_blocking_time"), std::string::npos) << answer;
}

}  // namespace
}  // namespace tandem::test
