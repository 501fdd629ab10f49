// The locks of the core: they exclude each other, whoever owns them, and lend their holder a waiter's priority.
#include <gtest/gtest.h>
#include <linux/membarrier.h>
#include <sched.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <atomic>
#include <fstream>
#include <mutex>
#include <sstream>
#include <string>
#include <thread>
#include <vector>

#include "harness.hpp"
#include "system/biased_lock.hpp"
#include "system/pi_lock.hpp"

namespace tandem::test {
namespace {

/// Two halves that are equal whenever nobody is within a section.
struct Pair {
  std::uint64_t first = 0;
  std::uint64_t second = 0;
  bool count() {
    ++first;
    const bool whole = first == second + 1;
    ++second;
    return whole;
  }
};

std::uint64_t times(double count) { return static_cast<std::uint64_t>(count * scale()); }

TEST(PiLock, ExcludesThreads) {
  PiLock lock;
  Pair pair;
  std::atomic<std::uint64_t> torn = 0;
  const std::uint64_t rounds = times(100e3);
  const auto work = [&] {
    for (std::uint64_t i = 0; i < rounds; ++i) {
      const std::lock_guard guard(lock);
      torn += pair.count() ? 0 : 1;
    }
  };
  std::vector<std::thread> threads;
  for (int i = 0; i < 4; ++i) {
    threads.emplace_back(work);
  }
  for (std::thread & thread : threads) {
    thread.join();
  }
  EXPECT_EQ(torn, 0U);
  EXPECT_EQ(pair.first, 4 * rounds);
}

/// The priority that the kernel gives a thread at this moment, in the form of /proc: -1 minus the real-time priority.
int present_priority(pid_t thread) {
  std::ifstream file("/proc/self/task/" + std::to_string(thread) + "/stat");
  std::string text((std::istreambuf_iterator<char>(file)), {});
  text.erase(0, text.rfind(')') + 2);
  std::istringstream words(text);
  std::string word;
  for (int field = 3; field <= 18 && words >> word; ++field) {
  }
  return std::stoi(word);
}

TEST(PiLock, LendsItsHolderTheWaitersPriority) {
  if (is_emulated()) {
    GTEST_SKIP() << "the emulator's threads have the priorities of the machine's";
  }
  constexpr int kPriority = 7;
  PiLock lock;
  std::atomic<bool> is_waiting = false;
  std::atomic<bool> is_allowed = true;
  lock.lock();
  std::thread waiter([&] {
    sched_param parameters{};
    parameters.sched_priority = kPriority;
    is_allowed = sched_setscheduler(0, SCHED_FIFO, &parameters) == 0;
    is_waiting = true;
    const std::lock_guard guard(lock);
  });
  EXPECT_TRUE(wait_until([&] { return is_waiting.load(); }));
  const auto self = static_cast<pid_t>(syscall(SYS_gettid));
  const bool is_lent =
      is_allowed && wait_until([&] { return present_priority(self) == -1 - kPriority; }, is_allowed ? 60 : 0);
  lock.unlock();
  waiter.join();
  if (!is_allowed) {
    GTEST_SKIP() << "this user may start no real-time thread";
  }
  EXPECT_TRUE(is_lent);
  EXPECT_GT(present_priority(self), 0) << "and it is given back";
}

/// With other threads, too: the kernel then takes its time.
void prepare_locks() {
  BiasedLock::prepare();
  const long commands = syscall(SYS_membarrier, MEMBARRIER_CMD_QUERY, 0, 0);  // an emulator has none
  if (!TANDEM_TSAN && commands > 0 && (commands & MEMBARRIER_CMD_PRIVATE_EXPEDITED) != 0) {
    ASSERT_TRUE(wait_until([] { return BiasedLock::is_prepared(); }));
  }
}

/// An owner at work without end, unbiased holders now and then, and as many users besides.
void stress(int users) {
  prepare_locks();
  BiasedLock lock;
  Pair pair;
  std::atomic<std::uint64_t> torn = 0;
  std::atomic<bool> done = false;
  std::atomic<bool> is_owned = false;
  std::vector<std::thread> threads;
  threads.emplace_back([&] {
    while (!done) {
      const std::lock_guard guard(lock);
      torn += pair.count() ? 0 : 1;
      is_owned = true;
    }
  });
  ASSERT_TRUE(wait_until([&] { return is_owned.load(); }));
  const std::uint64_t claims = times(20e3);
  for (int i = 0; i < 2; ++i) {
    threads.emplace_back([&] {
      for (std::uint64_t claim = 0; claim < claims; ++claim) {
        const BiasedLock::UnbiasedLock guard(lock);
        torn += pair.count() ? 0 : 1;
      }
      done = true;
    });
  }
  for (int i = 0; i < users; ++i) {
    threads.emplace_back([&] {
      while (!done) {
        const std::lock_guard guard(lock);
        torn += pair.count() ? 0 : 1;
      }
    });
  }
  for (std::thread & thread : threads) {
    thread.join();
  }
  EXPECT_EQ(torn, 0U);
  EXPECT_EQ(pair.first, pair.second);
  EXPECT_GE(pair.first, 2 * claims);
}

TEST(BiasedLock, ExcludesItsOwnerAndUnbiasedHolders) { stress(0); }

TEST(BiasedLock, ExcludesUsersWhoTakeItFromItsOwner) { stress(2); }

TEST(BiasedLock, HasAnotherOwnerOnlyAsALockOfAll) {
  prepare_locks();
  for (std::uint64_t round = 0; round < times(200); ++round) {
    BiasedLock lock;
    Pair pair;
    std::atomic<std::uint64_t> torn = 0;
    const auto work = [&] {
      for (int i = 0; i < 50; ++i) {  // the claims that revoke it fall anywhere
        const std::lock_guard guard(lock);
        torn += pair.count() ? 0 : 1;
      }
    };
    std::thread a(work);
    std::thread b(work);
    std::thread c(work);
    a.join();
    b.join();
    c.join();
    ASSERT_EQ(torn, 0U) << "round " << round;
    ASSERT_EQ(pair.first, 150U);
  }
}

}  // namespace
}  // namespace tandem::test
