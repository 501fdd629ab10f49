// Running minimum, maximum, mean and variance of a stream of numbers, without keeping them (Welford).
#pragma once

#include <cstdint>

namespace performance_test {

/// Plain data: may be sent through a pipe. Not thread-safe.
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
};

}  // namespace performance_test
