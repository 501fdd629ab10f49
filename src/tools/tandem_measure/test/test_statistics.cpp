// Running figures and percentiles, against values known by hand.
#include "tandem/measure/statistics.hpp"

#include <gtest/gtest.h>

#include <array>
#include <numeric>
#include <random>

namespace tandem::measure {
namespace {

TEST(Statistics, AreThoseOfThePopulation) {
  Statistics s;
  for (const double value : {2.0, 4.0, 4.0, 4.0, 5.0, 5.0, 7.0, 9.0}) s.add(value);
  EXPECT_EQ(s.n, 8U);
  EXPECT_DOUBLE_EQ(s.mean, 5);
  EXPECT_DOUBLE_EQ(s.variance(), 4);
  EXPECT_DOUBLE_EQ(s.min, 2);
  EXPECT_DOUBLE_EQ(s.max, 9);
}

TEST(Statistics, EmptyOnesHaveNoVariance) { EXPECT_EQ(Statistics().variance(), 0); }

TEST(Statistics, MergingGivesWhatAddingAllGives) {
  std::mt19937 random(1);
  std::normal_distribution<double> distribution(-3, 2);
  Statistics all;
  std::array<Statistics, 3> parts;
  for (int i = 0; i < 1000; ++i) {
    const double value = distribution(random);
    all.add(value);
    parts[i % 2].add(value);  // the third stays empty
  }
  Statistics merged;
  for (const Statistics & part : parts) merged.merge(part);
  EXPECT_EQ(merged.n, all.n);
  EXPECT_NEAR(merged.mean, all.mean, 1e-9);
  EXPECT_NEAR(merged.variance(), all.variance(), 1e-9);
  EXPECT_EQ(merged.min, all.min);
  EXPECT_EQ(merged.max, all.max);
}

TEST(Statistics, OfNoneAreZero) {
  const Statistics none = statistics_of(std::vector<double>());
  EXPECT_EQ(none.n, 0U);
  EXPECT_EQ(none.mean, 0);
  EXPECT_EQ(none.deviation(), 0);
}

TEST(Statistics, OfEqualValuesAreExact) {
  const Statistics s = statistics_of(std::vector<int>(1000, 37));
  EXPECT_EQ(s.mean, 37);
  EXPECT_EQ(s.deviation(), 0);
}

std::vector<double> one_to(std::size_t n) {
  std::vector<double> values(n);
  std::iota(values.rbegin(), values.rend(), 1.0);  // falling, so that sorting is not left out
  return values;
}

TEST(Summary, PercentilesAreNearestRanks) {
  const Summary summary = summarise(one_to(1000));
  EXPECT_EQ(summary.samples, 1000U);
  EXPECT_EQ(summary.p50, 500);
  EXPECT_EQ(summary.p90, 900);
  EXPECT_EQ(summary.p99, 990);
  EXPECT_EQ(summary.p999, 999);
  EXPECT_EQ(summary.max, 1000);
}

TEST(Summary, OneSampleIsEveryPercentile) {
  const Summary summary = summarise({7});
  EXPECT_EQ(summary.p50, 7);
  EXPECT_EQ(summary.p999, 7);
  EXPECT_EQ(summary.max, 7);
}

}  // namespace
}  // namespace tandem::measure
