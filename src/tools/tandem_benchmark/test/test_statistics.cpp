// Percentiles, the interval of a median, and slopes, against values known by hand.
#include <gtest/gtest.h>

#include <numeric>

#include "statistics.hpp"

namespace bench {
namespace {

std::vector<double> one_to(std::size_t n) {
  std::vector<double> values(n);
  std::iota(values.rbegin(), values.rend(), 1.0);  // falling, so that sorting is not left out
  return values;
}

TEST(Statistics, PercentilesAreNearestRanks) {
  const Summary summary = summarise(one_to(1000));
  EXPECT_EQ(summary.samples, 1000U);
  EXPECT_EQ(summary.p50, 500);
  EXPECT_EQ(summary.p90, 900);
  EXPECT_EQ(summary.p99, 990);
  EXPECT_EQ(summary.p999, 999);
  EXPECT_EQ(summary.max, 1000);
}

TEST(Statistics, OneSampleIsEveryPercentile) {
  const Summary summary = summarise({7});
  EXPECT_EQ(summary.p50, 7);
  EXPECT_EQ(summary.p999, 7);
  EXPECT_EQ(summary.max, 7);
}

TEST(Statistics, MedianOfAnEvenCountIsTheMiddle) { EXPECT_EQ(median_of({4, 1, 2, 3}).value, 2.5); }

// The usual table: for n = 20 the 6th and the 15th value, for n = 60 the 22nd and the 39th.
TEST(Statistics, IntervalIsTheTablesOrderStatistics) {
  EXPECT_EQ(median_of(one_to(20)).low, 6);
  EXPECT_EQ(median_of(one_to(20)).high, 15);
  EXPECT_EQ(median_of(one_to(60)).low, 22);
  EXPECT_EQ(median_of(one_to(60)).high, 39);
}

TEST(Statistics, IntervalOfFewValuesIsTheirRange) {
  for (const std::size_t count : {1, 2, 5, 6}) {
    EXPECT_EQ(median_of(one_to(count)).low, 1) << count;
    EXPECT_EQ(median_of(one_to(count)).high, count) << count;
  }
}

TEST(Statistics, SlopeIgnoresTheOffset) {
  EXPECT_DOUBLE_EQ(least_squares_slope({1, 2, 4, 8}, {103, 106, 112, 124}), 3);
  EXPECT_DOUBLE_EQ(least_squares_slope({1, 2, 3}, {5, 9, 5}), 0);
}

}  // namespace
}  // namespace bench
