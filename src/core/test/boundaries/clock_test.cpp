// The wall clock jumps by hours while messages flow and waits run. Nothing but time stamps depends on it.
#include <gtest/gtest.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include <atomic>
#include <chrono>
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
namespace {

/// From now on the clock jumps by hours to and fro.
void be_restless(User &) {
  static const std::jthread stepper([](const std::stop_token & end) {
    for (unsigned i = 0; !end.stop_requested(); ++i) {
      ahead = (i % 2 == 0 ? 1 : -1) * static_cast<std::int64_t>(3600 * (1 + i % 24));
      std::this_thread::sleep_for(std::chrono::milliseconds(1));
    }
  });
}

class ClockSteps : public testing::Test {
 protected:
  ClockSteps() : a_(Place::kElsewhere), b_(Place::kElsewhere) {
    EXPECT_TRUE(a_.join(0));
    EXPECT_TRUE(b_.join(0));
  }

  const Folder folder_;
  Station a_;
  Station b_;
};

TEST_F(ClockSteps, AreSeenInTimeStampsOnly) {
  const auto participant = Participant::join(0);
  ASSERT_TRUE(participant);
  const auto in = std::move(*participant->create_subscription(subscription_options("topic")));
  ASSERT_TRUE(a_.create_publisher("p", "topic"));
  ASSERT_TRUE(wait_until([&] { return in->matched_count() == 1; }) && a_.until_matched("p", 1));
  for (const std::int64_t hours : {0, 5, -5, 100'000, -100}) {
    a_.run([](User &, std::int64_t seconds) { ahead = seconds; }, hours * 3600);
    ASSERT_TRUE(a_.publish("p", 1, 64));
    Sample sample;
    ASSERT_TRUE(wait_until([&] { return static_cast<bool>(sample = in->take()); }));
    const double seconds = static_cast<double>(sample.source_timestamp()) / 1e9 - static_cast<double>(time(nullptr));
    EXPECT_NEAR(seconds / 3600, static_cast<double>(hours), 0.2);
  }
}

TEST_F(ClockSteps, DisturbNoFlowAndNoWait) {
  a_.call<be_restless>();
  b_.call<be_restless>();
  ASSERT_TRUE(connect(a_, b_, "topic", {.keep_all = true}));
  ASSERT_TRUE(b_.create_wait_set("w"));
  b_.attach("w", "s");
  EXPECT_FALSE(b_.wait("w", 50ms));
  for (int round = 0; round < 10; ++round) {
    auto waiting = b_.start<&User::wait>("w", 60s);
    ASSERT_TRUE(a_.publish("p", 100, 1000));
    ASSERT_TRUE(waiting.get());
    ASSERT_TRUE(b_.await("s", 100));
  }
  EXPECT_EQ(b_.lost("s"), 0U);
}

TEST_F(ClockSteps, NeitherEndNorProlongABlockingPublish) {
  a_.call<be_restless>();
  b_.call<be_restless>();
  ASSERT_TRUE(connect(a_, b_, "topic", {.keep_all = true, .block = 60s}));
  auto publishing = a_.start<&User::publish>("p", 20000, 8, Way::kLoan);  // more than fits: it waits
  ASSERT_TRUE(wait_until([&] { return b_.has_data("s"); }));
  ASSERT_TRUE(b_.await("s", 20000));
  ASSERT_TRUE(publishing.get());
  // And a limit is a limit: with steps of hours and no reader, this would take hours otherwise.
  a_.close("p");
  ASSERT_TRUE(a_.create_publisher("p", "other", {.keep_all = true, .block = 300ms}));
  ASSERT_TRUE(b_.create_subscription("t", "other", {.keep_all = true}));
  ASSERT_TRUE(a_.until_matched("p", 1));
  const Outcome refused = a_.publish("p", 20000, 8);
  EXPECT_TRUE(refused.says("within max_blocking_time")) << refused;
}

}  // namespace
}  // namespace tandem::test
