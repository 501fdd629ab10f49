// Samples and histograms as files; schedules.
#include <gtest/gtest.h>

#include <fstream>
#include <sstream>

#include "measures/records.hpp"
#include "roles/schedule.hpp"
#include "tandem/measure/hlog.hpp"

namespace lab {
namespace {

std::string text_of(const std::string & path) {
  std::ostringstream text;
  text << std::ifstream(path).rdbuf();
  return text.str();
}

TEST(Records, AreWritten) {
  Spec spec;
  spec.output = testing::TempDir() + "lab_records";
  spec.count = 2;
  Samples samples("a,b,c", sample_capacity(spec));
  for (std::int64_t i = 0; i < 3; ++i) samples.add({i, -i, 7, 8});
  EXPECT_EQ(samples.dropped(), 1U);
  TaggedHistogram histogram{"service", {}};
  histogram.values.record(5000, 3);
  write_records(spec, 0, {histogram, {"intended", {}}}, samples);
  EXPECT_EQ(text_of(spec.output + ".csv"), "a,b,c\n0,0,7\n1,-1,7\n");
  std::ifstream file(spec.output + ".hlog");
  const auto entries = tandem::measure::read_hlog(file);
  ASSERT_EQ(entries.size(), 2U);
  EXPECT_EQ(entries[0].tag, "service");
  EXPECT_EQ(entries[0].histogram.count(), 3U);
  EXPECT_EQ(entries[1].histogram.count(), 0U);
}

TEST(Records, SayWhatCannotBeWritten) {
  Spec spec;
  spec.output = "/nonexistent/folder/x";
  EXPECT_THROW(write_records(spec, 0, {}, Samples("a", 0)), std::runtime_error);
  EXPECT_THROW(Samples("a", 1).write("/dev/full"), std::runtime_error);
}

TEST(Records, CapacityFollowsTheSpec) {
  Spec spec;
  EXPECT_EQ(sample_capacity(spec), 0U);
  spec.output = "x";
  spec.rate = 100;
  spec.seconds = 10;
  EXPECT_EQ(sample_capacity(spec), 1100U);
  spec.role = Role::kSubscribe;
  spec.peers = 3;
  spec.count = 1000;
  EXPECT_EQ(sample_capacity(spec), 3000U);
  spec.count = 4'000'000'000;
  EXPECT_EQ(sample_capacity(spec), 2'000'000U);
}

TEST(Schedule, IsAbsoluteWhateverHappens) {
  Spec spec;
  spec.rate = 1000;
  Schedule schedule(spec);
  schedule.start(5'000'000);
  EXPECT_EQ(schedule.take(50'000'000), 5'000'000);
  EXPECT_EQ(schedule.take(60'000'000), 6'000'000);
  EXPECT_EQ(schedule.next(), 7'000'000);
}

TEST(Schedule, PausesAfterEachBurst) {
  Spec spec;
  spec.demand = 2;
  spec.recovery_us = 1000;
  Schedule schedule(spec);
  schedule.start(100);
  EXPECT_EQ(schedule.take(110), 110);
  EXPECT_EQ(schedule.next(), 110);
  EXPECT_EQ(schedule.take(120), 120);
  EXPECT_EQ(schedule.next(), 1'000'110);
  // A burst that began late is followed by a whole period.
  EXPECT_EQ(schedule.take(1'500'000), 1'500'000);
  schedule.take(1'500'001);
  EXPECT_EQ(schedule.next(), 2'500'000);
}

}  // namespace
}  // namespace lab
