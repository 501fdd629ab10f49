// One report: what happened in the last second, since the start, and what it has cost.
#pragma once

#include <cstdint>
#include <string>

#include "measuring/interval.hpp"

namespace performance_test {

struct Block {
  double experiment = 0;      ///< s since the start
  double loop = 0;            ///< s that `interval` took
  std::int64_t start_ns = 0;  ///< now_ns() at the start of the experiment
  Interval interval;
  Interval overall;        ///< all intervals that count, this one included
  Usage usage;             ///< since the processes began
  double cpu_percent = 0;  ///< in this interval: process time / (time * processors)

  /// lost / sent; of a process that does not send, lost / (lost + received).
  double relative_loss() const noexcept;
};

/// "1234" per second, as the tables show rates: truncated.
std::uint64_t per_second(std::uint64_t count, double seconds) noexcept;

/// The tables every user of perf_test knows, ending with a line break.
std::string format_tables(const Block & block);

/// What they lack: percentiles since the start and counts of what went wrong.
std::string format_more_tables(const Block & block);

/// Percentile and maximum of a histogram in seconds, "-" when there are too few samples.
std::string format_percentile(const Histogram & histogram, double percent);

/// The percentiles that every report gives.
constexpr double kPercentiles[] = {50, 90, 99, 99.9};

/// The 16 figures of getrusage in the order of the tables; times in ns, maxrss in KiB.
struct UsageFigure {
  const char * name;
  long long value;
};
std::array<UsageFigure, 16> usage_figures(const rusage & usage) noexcept;

}  // namespace performance_test
