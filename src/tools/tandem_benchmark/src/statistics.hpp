// Percentiles of one burst, and medians over rounds with their confidence interval.
#pragma once

#include <cstddef>
#include <vector>

namespace bench {

/// Percentiles of the samples of one burst, in the samples' unit.
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

/// A median and the order statistics that enclose the true one with 95 % confidence, whatever the distribution. With
/// fewer than six values no such pair exists: then the least and the greatest.
struct Median {
  double value = 0;
  double low = 0;
  double high = 0;
};

/// \param values at least one.
Median median_of(std::vector<double> values);

/// Slope of the least-squares line through (x, y); both of the same length, x not constant.
double least_squares_slope(const std::vector<double> & x, const std::vector<double> & y);

}  // namespace bench
