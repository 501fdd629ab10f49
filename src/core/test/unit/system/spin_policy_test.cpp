// When a wait spins.
#include "system/spin_policy.hpp"

#include <gtest/gtest.h>

namespace tandem {
namespace {

using std::chrono::microseconds;
using std::chrono::milliseconds;
using Nanoseconds = std::chrono::nanoseconds;

constexpr Nanoseconds kWakeUp = microseconds(25);

/// One wait for a message that is published `delay` after its start. \return whether it slept.
bool wait_for(SpinPolicy & policy, Nanoseconds delay) {
  if (policy.should_spin()) {
    const bool served = delay <= policy.limit();
    policy.spun(served);
    return !served;
  }
  policy.slept(delay, kWakeUp);
  return true;
}

TEST(SpinPolicy, LeavesTheModeOfTwoSleepers) {
  // Each side's message is published once the other is awake: neither spins because the other does.
  SpinPolicy ping(std::nullopt);
  SpinPolicy pong(std::nullopt);
  bool ping_slept = true;
  bool pong_slept = true;
  for (int round = 0; round < 20; ++round) {
    pong_slept = wait_for(pong, ping_slept ? kWakeUp : Nanoseconds(500));
    ping_slept = wait_for(ping, pong_slept ? kWakeUp : Nanoseconds(500));
  }
  EXPECT_FALSE(ping_slept);
  EXPECT_FALSE(pong_slept);
}

TEST(SpinPolicy, SpinsForAFlowOfTwentyThousandASecondAlone) {
  SpinPolicy fast(std::nullopt);
  SpinPolicy slow(std::nullopt);
  int slept = 0;
  int spun = 0;
  for (int n = 0; n < 1000; ++n) {
    slept += wait_for(fast, microseconds(50)) ? 1 : 0;
    spun += slow.should_spin() ? 1 : 0;
    wait_for(slow, milliseconds(10));
  }
  EXPECT_LE(slept, 1);
  EXPECT_EQ(spun, 0);
}

TEST(SpinPolicy, ForgivesARareDelay) {
  SpinPolicy policy(std::nullopt);
  int slept = 0;
  for (int n = 0; n < 1000; ++n) {
    slept += wait_for(policy, n % 100 == 99 ? milliseconds(5) : microseconds(10)) ? 1 : 0;
  }
  EXPECT_LE(slept, 11);
}

TEST(SpinPolicy, SpinsInVainEverMoreSeldom) {
  // Stamps that lie, or a publisher that needs the processor on which we spin: after a sleep each message seems to have been
  // near, but no spin meets one.
  SpinPolicy policy(std::nullopt);
  int spun = 0;
  for (int n = 0; n < 100'000; ++n) {
    if (policy.should_spin()) {
      ++spun;
      policy.spun(false);
    } else {
      policy.slept(Nanoseconds(0), kWakeUp);
    }
  }
  EXPECT_LE(spun, 40);
}

TEST(SpinPolicy, FollowsTheCostOfAWakeUpWithinBounds) {
  SpinPolicy policy(std::nullopt);
  EXPECT_EQ(policy.limit(), SpinPolicy::kLeastLimit);
  for (int n = 0; n < 100; ++n) {
    policy.slept(milliseconds(1), microseconds(60));
  }
  EXPECT_GT(policy.limit(), microseconds(110));
  EXPECT_LE(policy.limit(), microseconds(120));
  for (int n = 0; n < 100; ++n) {
    policy.slept(milliseconds(1), std::chrono::hours(1));
  }
  EXPECT_LE(policy.limit(), SpinPolicy::kGreatestLimit);
  for (int n = 0; n < 100; ++n) {
    policy.slept(milliseconds(1), -std::chrono::hours(1));
  }
  EXPECT_EQ(policy.limit(), SpinPolicy::kLeastLimit);
}

TEST(SpinPolicy, KeepsAFixedLimit) {
  SpinPolicy policy(microseconds(7));
  for (int n = 0; n < 100; ++n) {
    policy.slept(microseconds(1), milliseconds(1));
  }
  EXPECT_EQ(policy.limit(), microseconds(7));
  EXPECT_TRUE(policy.should_spin());
}

TEST(SpinPolicy, NeverSpinsWithALimitOfNothing) {
  SpinPolicy policy(Nanoseconds(0));
  for (int n = 0; n < 100; ++n) {
    policy.slept(Nanoseconds(0), Nanoseconds(0));
  }
  EXPECT_FALSE(policy.should_spin());
}

TEST(SpinPolicy, TakesATimeOutForAMessageThatWasFar) {
  SpinPolicy policy(std::nullopt);
  policy.slept(Nanoseconds(0), kWakeUp);
  EXPECT_TRUE(policy.should_spin());
  policy.timed_out(microseconds(10));  // shorter than a spin: says nothing
  EXPECT_TRUE(policy.should_spin());
  policy.timed_out(milliseconds(10));
  EXPECT_FALSE(policy.should_spin());
}

}  // namespace
}  // namespace tandem
