// What a process has cost: counts only grow, and what was touched is counted.
#include "tandem/measure/usage.hpp"

#include <gtest/gtest.h>

#include <vector>

#include "tandem/measure/counters.hpp"

namespace tandem::measure {
namespace {

TEST(Usage, CountsTheFaultsOfTouchedMemory) {
  const Usage before = usage_now();
  const std::vector<char> touched(std::size_t{64} << 20, 1);
  const Usage used = usage_now() - before;
  EXPECT_EQ(touched.back(), 1);
  EXPECT_GT(used.minor_faults, 0);
  EXPECT_GE(used.user_ns + used.system_ns, 0);
  EXPECT_GE(used.voluntary_switches, 0);
  EXPECT_GT(memory_now().rss_kib, 64 << 10);
}

TEST(Counters, CountOrSayWhyNot) {
  const Counters counters;
  if (!counters.reason().empty()) {
    EXPECT_EQ(counters.read().cycles, 0U);
    GTEST_SKIP() << counters.reason();
  }
  const auto before = counters.read();
  volatile int work = 0;
  for (int i = 0; i < 1000000; ++i) work = work + i;
  EXPECT_GT(counters.read().instructions, before.instructions + 1000000);
}

}  // namespace
}  // namespace tandem::measure
