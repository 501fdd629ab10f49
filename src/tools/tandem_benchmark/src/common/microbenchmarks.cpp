#include "common/microbenchmarks.hpp"

namespace bench {
namespace {

constexpr double kRepetition = 200e-6;  ///< s

/// What kept a run from going on, or nothing. Google Benchmark 1.8 renamed it.
template <class Run>
const std::string & error_in(const Run & run) {
  if constexpr (requires { run.error_message; }) {
    return run.error_message;
  } else {
    return run.skip_message;
  }
}

/// Keeps what each repetition took.
class Collector : public benchmark::BenchmarkReporter {
 public:
  bool ReportContext(const Context &) override { return true; }
  void ReportRuns(const std::vector<Run> & runs) override {
    for (const Run & run : runs) {
      if (const std::string & error = error_in(run); !error.empty()) {
        error_ = run.run_name.function_name + ": " + error;
      } else if (run.run_type == Run::RT_Iteration) {
        samples_[run.run_name.function_name].push_back(run.GetAdjustedRealTime());
      }
    }
  }
  /// \throws std::runtime_error when a benchmark could not go on.
  Samples take() {
    if (!error_.empty()) {
      throw std::runtime_error(error_);
    }
    return std::move(samples_);
  }

 private:
  Samples samples_;
  std::string error_;
};

/// Once in a process.
void set_up_library() {
  static const bool done = [] {
    std::string words[] = {"bench", "--benchmark_enable_random_interleaving=true"};
    char * arguments[] = {words[0].data(), words[1].data(), nullptr};
    int count = 2;
    benchmark::Initialize(&count, arguments);
    return true;
  }();
  static_cast<void>(done);
}

}  // namespace

void Microbenchmarks::add(const std::string & series, benchmark::IterationCount iterations, Run run) {
  entries_.push_back({series, iterations, std::move(run)});
}

Samples Microbenchmarks::ping(const Burst & burst) {
  set_up_library();
  for (const Entry & entry : entries_) {
    auto * const registered = benchmark::RegisterBenchmark(entry.series.c_str(), entry.run);
    registered->Repetitions(static_cast<int>(burst.samples))->UseManualTime();
    if (entry.iterations != kAsManyAsNeeded) {
      registered->Iterations(entry.iterations);
    } else {
      registered->MinTime(kRepetition);
    }
  }
  Collector collector;
  benchmark::RunSpecifiedBenchmarks(&collector, ".");
  benchmark::ClearRegisteredBenchmarks();
  return collector.take();
}

}  // namespace bench
