// When messages are due, and waiting until then. No duration is judged.
#include "tandem/measure/clock.hpp"

#include <gtest/gtest.h>

#include <vector>

#include "tandem/measure/pacer.hpp"
#include "tandem/measure/processor_time.hpp"

namespace tandem::measure {
namespace {

constexpr auto kAlways = [] { return true; };

TEST(Pacer, IsAbsoluteWhateverHappens) {
  Pacer pacer(1000);
  pacer.start(5'000'000);
  EXPECT_EQ(pacer.due(0), 5'000'000);
  EXPECT_EQ(pacer.due(1), 6'000'000);
  EXPECT_EQ(pacer.due(60'000), 60'005'000'000);
}

TEST(Pacer, RoundingDoesNotAddUp) {
  for (const std::int64_t rate : {3, 7, 333, 20'000, 999'983}) {
    Pacer pacer(static_cast<double>(rate));
    pacer.start(1);
    for (const std::int64_t second : {1, 2, 59, 3600, 8'640'000}) {
      EXPECT_NEAR(static_cast<double>(pacer.due(static_cast<std::uint64_t>(second * rate)) - second * kSecond), 1, 1)
          << rate << " " << second;
    }
  }
}

TEST(Pacer, TakesRatesBelowOne) {
  const Pacer pacer(0.5);
  EXPECT_EQ(pacer.due(3), 6 * kSecond);
}

TEST(Waiting, EndsWhenItIsDue) {
  for (const std::int64_t spin : {std::int64_t{0}, std::int64_t{100'000}, kSecond}) {
    const std::int64_t due = now_ns() + 2'000'000;
    EXPECT_TRUE(sleep_until(due, spin, kAlways));
    EXPECT_GE(now_ns(), due);
  }
}

TEST(Waiting, ForThePastIsOver) { EXPECT_TRUE(sleep_until(0, kSecond, kAlways)); }

TEST(Waiting, EndsWhenItShall) {
  for (const std::int64_t spin : {std::int64_t{0}, 3600 * kSecond}) {
    int looks = 0;
    EXPECT_FALSE(sleep_until(now_ns() + 3000 * kSecond, spin, [&looks] { return ++looks < 3; }));
  }
  EXPECT_FALSE(sleep_until(0, 0, [] { return false; }));
}

TEST(Waiting, IdlesInSlicesUpToTheEnd) {
  const std::int64_t due = now_ns() + 10 * kSecond;
  std::vector<std::int64_t> ends;
  EXPECT_FALSE(wait_until(
      due, [&ends] { return ends.size() < 3; }, [&ends](std::int64_t end) { ends.push_back(end); }));
  for (const std::int64_t end : ends) EXPECT_LE(end, now_ns() + kLongestSlice);
  std::int64_t last = 0;
  const std::int64_t soon = now_ns() + 1'000'000;
  wait_until(soon, kAlways, [&last](std::int64_t end) { last = end; });
  EXPECT_EQ(last, soon);
}

TEST(ProcessorTime, OfTheProcessHoldsThatOfTheThread) {
  const std::int64_t before = thread_time_ns();
  while (thread_time_ns() == before) {
  }
  const std::int64_t thread = thread_time_ns();
  EXPECT_GE(process_time_ns(), thread);
  EXPECT_EQ(to_ns(timeval{2, 3}), 2'000'003'000);
  EXPECT_EQ(to_ns(timespec{2, 3}), 2'000'000'003);
}

}  // namespace
}  // namespace tandem::measure
