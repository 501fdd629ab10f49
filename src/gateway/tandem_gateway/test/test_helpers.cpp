// Small parts of the gateway by themselves.
#include <gtest/gtest.h>

#include <atomic>
#include <thread>

#include "base/recent.hpp"
#include "forwarding/fair_mutex.hpp"

namespace tandem::gateway {
namespace {

using namespace std::chrono_literals;

TEST(Recent, ForgetsWhatWasNotedLongAgo) {
  Recent<int> recent(10s);
  const auto start = Recent<int>::Clock::now();
  recent.note(1, start);
  recent.note(2, start + 6s);
  EXPECT_EQ(recent.when(1, start + 10s), start);
  EXPECT_FALSE(recent.when(1, start + 11s));
  EXPECT_TRUE(recent.when(2, start + 11s));
  recent.note(2, start + 12s);
  EXPECT_EQ(recent.when(2, start + 22s), start + 12s);
  recent.forget(2);
  EXPECT_FALSE(recent.when(2, start + 12s));
}

TEST(Recent, StaysSmallWhateverComes) {
  Recent<int> recent(10s);
  const auto start = Recent<int>::Clock::now();
  for (int second = 0; second < 100000; ++second) {
    recent.note(second, start + std::chrono::seconds(second));
    ASSERT_LE(recent.size(), 25u);
  }
}

/// While one thread locks and unlocks without a pause.
TEST(FairMutex, TellsThatAnotherThreadWaits) {
  FairMutex mutex;
  mutex.lock();
  EXPECT_FALSE(mutex.is_wanted());
  std::thread other([&mutex] {
    mutex.lock();
    mutex.unlock();
  });
  while (!mutex.is_wanted()) {
    std::this_thread::yield();
  }
  mutex.unlock();
  other.join();
  EXPECT_FALSE(mutex.is_wanted());
}

TEST(FairMutex, IsGivenToWhoHasWaited) {
  FairMutex mutex;
  std::atomic<bool> is_over = false;
  std::atomic<long> turns = 0;
  std::thread greedy([&] {
    while (!is_over) {
      const std::lock_guard lock(mutex);
      ++turns;
      std::this_thread::sleep_for(1ms);  // so that others wait
    }
  });
  while (turns == 0) {
    std::this_thread::yield();
  }
  for (int i = 0; i < 50; ++i) {
    const long before = turns;
    const std::lock_guard lock(mutex);
    EXPECT_LE(turns - before, 3) << "the present turn, one before this thread has asked, and one for bad luck";
  }
  is_over = true;
  greedy.join();
}

}  // namespace
}  // namespace tandem::gateway
