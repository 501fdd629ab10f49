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
  if (counters().reason().empty()) {
    EXPECT_GT(counters().read().instructions, 0U);
  } else {
    EXPECT_EQ(usage_now().cycles, 0);
  }
}

}  // namespace
}  // namespace tandem::measure
