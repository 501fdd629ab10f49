// The histogram, its exchange format and its log.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <random>
#include <sstream>
#include <stdexcept>

#include "tandem/measure/histogram.hpp"
#include "tandem/measure/hlog.hpp"

namespace tandem::measure {
namespace {

// Written by the Python implementation of HdrHistogram from the values of sample() below.
constexpr const char * kWrittenElsewhere =
    "HISTFAAAADd4nJNpmSzMwMAgxgABzFCaEch0M9ixgMH+A1SA7TS/yGoBJrbH6Uzb+ZnarU4w7qxhAgD1cwru";
// From the documentation of the Java implementation's log format.
constexpr const char * kPublished =
    "HISTFAAAAEV42pNpmSzMwMCgyAABTBDKT4GBgdnNYMcCBvsPEBEJISEuATEZMQ4uASkhIR4nrxg9v2lMaxhvMekILGZkKmcCAEf2CsI=";

Histogram sample() {
  Histogram histogram;
  histogram.record(1, 3);
  histogram.record(1000, 10);
  for (const std::int64_t value : {2047, 2048, 195'000, 381'000, 1'000'000'000}) histogram.record(value);
  histogram.record(2049, 2);
  histogram.record(4'546'000, 100);
  return histogram;
}

TEST(Histogram, PercentilesAreWithinAThousandth) {
  std::mt19937_64 random(7);
  std::lognormal_distribution<double> distribution(12, 2);
  Histogram histogram;
  std::vector<std::int64_t> values;
  for (int i = 0; i < 20'000; ++i) {
    values.push_back(static_cast<std::int64_t>(distribution(random)));
    histogram.record(values.back());
  }
  std::sort(values.begin(), values.end());
  for (const double percent : {1.0, 50.0, 90.0, 99.0, 99.9}) {
    const auto exact = values[static_cast<std::size_t>(std::ceil(values.size() * percent / 100)) - 1];
    const auto measured = histogram.percentile(percent);
    ASSERT_TRUE(measured);
    EXPECT_GE(*measured, exact);
    EXPECT_LE(*measured, exact + exact / 1000 + 1) << percent;
  }
  EXPECT_EQ(histogram.min(), values.front());
  EXPECT_EQ(histogram.max(), values.back());
  EXPECT_EQ(histogram.percentile(100), values.back());
}

TEST(Histogram, RefusesPercentilesOfTooFewSamples) {
  Histogram histogram;
  EXPECT_FALSE(histogram.percentile(50));
  EXPECT_FALSE(histogram.percentile(100));
  histogram.record(5, 99);
  EXPECT_FALSE(histogram.percentile(99));
  histogram.record(6, 1);
  EXPECT_EQ(histogram.percentile(99), 5);
  EXPECT_EQ(histogram.percentile(100), 6);
  histogram.record(6, 900);
  EXPECT_TRUE(histogram.percentile(99.9));
}

TEST(Histogram, ClampsWhatItCannotHold) {
  Histogram histogram({.lowest = 1, .highest = 1000, .digits = 2});
  histogram.record(-5);
  histogram.record(1'000'000);
  EXPECT_EQ(histogram.min(), 0);
  EXPECT_EQ(histogram.max(), 1000);
  EXPECT_EQ(histogram.count(), 2U);
}

TEST(Histogram, MergedIsAsIfRecordedInOne) {
  Histogram both = sample();
  Histogram other;
  other.record(123'456'789, 5);
  both.merge(other);
  both.merge(Histogram());
  EXPECT_EQ(both.count(), sample().count() + 5);
  EXPECT_EQ(both.max(), 1'000'000'000);
  both.reset();
  EXPECT_EQ(both.count(), 0U);
  EXPECT_EQ(both.encode(), Histogram().encode());
}

TEST(HistogramEncoding, IsReadAsItWasWritten) {
  for (const auto & range : {Histogram::Range{}, {1, 2, 0}, {1000, 1'000'000'000, 1}, {1, INT64_MAX / 8, 5}}) {
    Histogram written(range);
    for (std::int64_t value = range.lowest; value < range.highest / 3; value = value * 3 + 1) written.record(value, 70);
    const Histogram read = Histogram::decode(written.encode());
    EXPECT_EQ(read.count(), written.count());
    EXPECT_EQ(read.percentile(50), written.percentile(50));
    EXPECT_EQ(read.encode(), written.encode());
  }
}

TEST(HistogramEncoding, ReadsWhatOthersWrote) {
  const Histogram histogram = Histogram::decode(kWrittenElsewhere);
  EXPECT_EQ(histogram.count(), 120U);
  EXPECT_EQ(histogram.percentile(50), 4'546'559);
  EXPECT_EQ(histogram.percentile(90), 4'546'559);
  EXPECT_EQ(histogram.max(), 1'000'341'503);
  EXPECT_EQ(Histogram::decode(kPublished).count(), 741U);
}

TEST(HistogramEncoding, HoldsTheSameAsOthersWrite) {
  // zlib's level may differ, so what is inside is compared.
  EXPECT_EQ(Histogram::decode(kWrittenElsewhere).encode(), sample().encode());
}

TEST(HistogramEncoding, RefusesWhatIsDamaged) {
  const std::string good = sample().encode();
  for (const std::string & bad : {std::string(), std::string("HIST"), std::string("!!!!"), good.substr(0, 40),
                                  "AAAA" + good.substr(4), good + good}) {
    EXPECT_THROW(Histogram::decode(bad), std::invalid_argument) << bad;
  }
  // No damage may crash or hang; most is noticed by zlib.
  std::mt19937 random(3);
  for (int i = 0; i < 2000; ++i) {
    std::string damaged = good;
    damaged[random() % damaged.size()] = "ABCDwxyz0189+/"[random() % 14];
    try {
      Histogram::decode(damaged);
    } catch (const std::invalid_argument &) {
    }
  }
}

TEST(Histogram, RefusesImpossibleRanges) {
  for (const auto & range :
       {Histogram::Range{0, 100, 3}, {100, 150, 3}, {1, 100, 6}, {1, 100, -1}, {1, INT64_MAX, 3}}) {
    EXPECT_THROW(Histogram{range}, std::invalid_argument);
  }
}

TEST(Hlog, IsReadAsItWasWritten) {
  std::stringstream file;
  write_hlog_header(file, 1441812279.474, "perf_test");
  write_hlog_entry(file, {"latency", 0.127, 1.007, sample()});
  write_hlog_entry(file, {"", 1.134, 0.999, Histogram()});
  const std::string text = file.str();
  EXPECT_NE(text.find("#[Histogram log format version 1.3]\n#[StartTime: 1441812279.474 "), std::string::npos);
  EXPECT_NE(text.find("\nTag=latency,0.127,1.007,1000.000,HISTFAAA"), std::string::npos);
  const auto entries = read_hlog(file);
  ASSERT_EQ(entries.size(), 2U);
  EXPECT_EQ(entries[0].tag, "latency");
  EXPECT_DOUBLE_EQ(entries[0].start, 0.127);
  EXPECT_DOUBLE_EQ(entries[0].length, 1.007);
  EXPECT_EQ(entries[0].histogram.count(), 120U);
  EXPECT_EQ(entries[1].tag, "");
  EXPECT_EQ(entries[1].histogram.count(), 0U);
}

TEST(Hlog, ReadsWhatOthersWrote) {
  std::istringstream file(
      "#[StartTime: 1441812279.474 (seconds since epoch), Wed Sep 09 08:24:39 PDT 2015]\n"
      "\"StartTimestamp\",\"Interval_Length\",\"Interval_Max\",\"Interval_Compressed_Histogram\"\r\n"
      "0.127,1.007,2.769," +
      std::string(kPublished) + "\r\n");
  const auto entries = read_hlog(file);
  ASSERT_EQ(entries.size(), 1U);
  EXPECT_NEAR(static_cast<double>(entries[0].histogram.max()) / 1e6, 2.769, 0.01);
}

TEST(Hlog, NamesTheLineThatItDoesNotUnderstand) {
  for (const std::string & bad : {"1,2", "x,1,2,HIST", "1,2,3,HIST", "Tag=a"}) {
    std::istringstream file("# comment\n" + bad + "\n");
    try {
      read_hlog(file);
      FAIL() << bad;
    } catch (const std::invalid_argument & error) {
      EXPECT_EQ(std::string(error.what()).find("line 2: "), 0U) << error.what();
    }
  }
}

}  // namespace
}  // namespace tandem::measure
