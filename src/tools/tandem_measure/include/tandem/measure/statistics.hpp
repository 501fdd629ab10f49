// Figures of a stream of numbers that is not kept, and percentiles of numbers that are.
#pragma once

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace tandem::measure {

/// Running minimum, maximum, mean and variance (Welford). Plain data: may be sent through a pipe. Not thread-safe.
struct Statistics {
  std::uint64_t n = 0;
  double min = 0;
  double max = 0;
  double mean = 0;
  double m2 = 0;  ///< sum of squared distances from the mean

  void add(double value) noexcept;
  /// As if everything that was added to `other` had been added here.
  void merge(const Statistics & other) noexcept;
  /// Of the population; 0 when empty.
  double variance() const noexcept { return n == 0 ? 0 : m2 / static_cast<double>(n); }
  double deviation() const noexcept { return std::sqrt(variance()); }
};

/// Of all values; all zero for none.
template <class Values>
Statistics statistics_of(const Values & values) noexcept {
  Statistics result;
  for (const double value : values) result.add(value);
  return result;
}

/// Percentiles in the values' unit.
struct Summary {
  std::size_t samples = 0;
  double p50 = 0;
  double p90 = 0;
  double p99 = 0;
  double p999 = 0;
  double max = 0;
};

/// \param values at least one; nearest-rank percentiles.
Summary summarise(std::vector<double> values);

}  // namespace tandem::measure
