// Calls within one process, repeated and measured by Google Benchmark.
#pragma once

#include <benchmark/benchmark.h>

#include <functional>
#include <string>
#include <vector>

#include "common/contestant.hpp"

namespace bench {

/// Plays its benchmarks in each burst: as many repetitions of each as the burst has samples, all in random order, so that
/// those that are compared meet the same states of the machine. A sample is the mean of one repetition.
class Microbenchmarks : public Contestant {
 public:
  Samples ping(const Burst & burst) override;

 protected:
  using Run = std::function<void(benchmark::State & state)>;
  static constexpr benchmark::IterationCount kAsManyAsNeeded = 0;  ///< for a repetition of 0.2 ms
  /// \param series whose samples these are, in ns for each iteration. \param run times them by time_call(); the rest of
  /// it does not count. \param iterations of one repetition.
  void add(const std::string & series, benchmark::IterationCount iterations, Run run);

 private:
  struct Entry {
    std::string series;
    benchmark::IterationCount iterations;
    Run run;
  };
  std::vector<Entry> entries_;
};

/// Calls and counts the time as that of the present iteration, or batch of them.
template <class Call>
void time_call(benchmark::State & state, Call call) {
  const auto begin = Clock::now();
  call();
  state.SetIterationTime(std::chrono::duration<double>(Clock::now() - begin).count());
}

}  // namespace bench
