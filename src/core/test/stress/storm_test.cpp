// The storm itself, and the proof that it is one: it finds each of the faults that are built in (mutants.cmake).
#include <gtest/gtest.h>

#include <cstdlib>
#include <iostream>
#include <sstream>

#include "harness.hpp"
#include "storm.hpp"

namespace tandem::test {
namespace {

std::uint64_t reuses(double count) { return static_cast<std::uint64_t>(count * scale()) + 1000; }

void expect_no_fault(const Storm & storm) {
  const SharedCounters & counters = map_counters(storm.counters);
  std::cout << "figures: " << counters.text() << std::endl;
  EXPECT_GE(counters.sum(&WorkerCounters::reused), storm.reuses);
  EXPECT_EQ(counters.sum(&WorkerCounters::torn), 0U);
  EXPECT_EQ(counters.sum(&WorkerCounters::disordered), 0U);
  EXPECT_EQ(counters.sum(&WorkerCounters::missed), 0U);
  EXPECT_EQ(counters.sum(&WorkerCounters::refused), 0U);
}

TEST(Storm, NothingIsTornOrLostBetweenProcesses) {
  const Folder folder;
  Storm storm;
  storm.reuses = reuses(1.6e6);
  storm.seed = seed();
  storm.counters = folder.path() + "/counters";
  const StormEnd end = run_storm(storm);
  std::cout << "figures: " << end.killed << " killed and started again, " << end.stopped << " stopped for a moment"
            << std::endl;
  EXPECT_EQ(end.broken, 0U);
  expect_no_fault(storm);
}

TEST(Storm, NothingIsTornOrLostBetweenThreads) {
  const Folder folder;
  Storm storm;
  storm.reuses = reuses(0.4e6);
  storm.in_threads = true;
  storm.seed = seed();
  storm.counters = folder.path() + "/counters";
  run_storm(storm);
  expect_no_fault(storm);
}

#ifdef TANDEM_MUTANTS

/// A library with a fault, in place of the right one in every child that is started meanwhile.
class Mutant : public testing::TestWithParam<const char *> {
 protected:
  Mutant() {
    setenv("LD_PRELOAD", (std::string(TANDEM_MUTANTS "/") + GetParam() + "/libtandem_core_open.so.0").c_str(), 1);
  }
  ~Mutant() override { unsetenv("LD_PRELOAD"); }
};

class InTheStorm : public Mutant {};
class StepByStep : public Mutant {};

std::string name_of(const testing::TestParamInfo<const char *> & info) { return info.param; }
INSTANTIATE_TEST_SUITE_P(Mutant, InTheStorm, testing::Values(TANDEM_STORM_MUTANTS), name_of);
INSTANTIATE_TEST_SUITE_P(Mutant, StepByStep, testing::Values(TANDEM_STEP_MUTANTS), name_of);

TEST_P(StepByStep, IsCaught) {
  const Folder folder;
  Child child("steps", {"255", "1000000", std::to_string(seed()), "until a fault"});
  std::cout << child.read_line() << std::endl;
  EXPECT_EQ(child.finish(), 1);
}

TEST_P(InTheStorm, IsCaught) {
  if (GetParam() == std::string("owed_ignored") && scale() < 2) {
    GTEST_SKIP() << "takes longer: a ring has to become full first";
  }
  const Folder folder;
  Storm storm;
  storm.reuses = 100'000'000;
  storm.any_fault_ends_it = true;
  storm.seed = seed();
  storm.counters = folder.path() + "/counters";
  const StormEnd end = run_storm(storm);
  const SharedCounters & counters = map_counters(storm.counters);
  std::cout << counters.text() << ", " << end.broken << " processes broken" << std::endl;
  EXPECT_NE(counters.faults() + end.broken, 0U);
}

#endif

}  // namespace
}  // namespace tandem::test
