// See statistics.hpp. Merging follows Chan, Golub and LeVeque, "Updating Formulae and a Pairwise Algorithm" (1979).
#include "tandem/measure/statistics.hpp"

#include <algorithm>
#include <numeric>

namespace tandem::measure {
namespace {

double nearest_rank(const std::vector<double> & sorted, double fraction) {
  const auto rank = static_cast<std::size_t>(std::ceil(fraction * static_cast<double>(sorted.size())));
  return sorted[std::max<std::size_t>(rank, 1) - 1];
}

/// The greatest k with P(Binomial(n, 1/2) < k) <= 2.5 %: the k-th value from either end bounds the median.
std::size_t order_of_bound(std::size_t n) {
  double probability = std::pow(0.5, static_cast<double>(n));  // P(exactly `count` below the median)
  double below = 0;
  std::size_t count = 0;
  while (below + probability <= 0.025) {
    below += probability;
    probability *= static_cast<double>(n - count) / static_cast<double>(count + 1);
    ++count;
  }
  return count;
}

}  // namespace

void Statistics::add(double value) noexcept {
  min = n == 0 ? value : std::min(min, value);
  max = n == 0 ? value : std::max(max, value);
  ++n;
  const double delta = value - mean;
  mean += delta / static_cast<double>(n);
  m2 += delta * (value - mean);
}

void Statistics::merge(const Statistics & other) noexcept {
  if (other.n == 0) return;
  if (n == 0) {
    *this = other;
    return;
  }
  const double total = static_cast<double>(n + other.n);
  const double delta = other.mean - mean;
  m2 += other.m2 + delta * delta * static_cast<double>(n) * static_cast<double>(other.n) / total;
  mean += delta * static_cast<double>(other.n) / total;
  n += other.n;
  min = std::min(min, other.min);
  max = std::max(max, other.max);
}

Summary summarise(std::vector<double> values) {
  std::sort(values.begin(), values.end());
  return {values.size(),
          nearest_rank(values, 0.5),
          nearest_rank(values, 0.9),
          nearest_rank(values, 0.99),
          nearest_rank(values, 0.999),
          values.back()};
}

Median median_of(std::vector<double> values) {
  std::sort(values.begin(), values.end());
  const std::size_t n = values.size();
  const std::size_t bound = std::max<std::size_t>(order_of_bound(n), 1);
  return {(values[(n - 1) / 2] + values[n / 2]) / 2, values[bound - 1], values[n - bound]};
}

double least_squares_slope(const std::vector<double> & x, const std::vector<double> & y) {
  const auto n = static_cast<double>(x.size());
  const double mean_x = std::accumulate(x.begin(), x.end(), 0.0) / n;
  const double mean_y = std::accumulate(y.begin(), y.end(), 0.0) / n;
  double covariance = 0;
  double variance = 0;
  for (std::size_t i = 0; i < x.size(); ++i) {
    covariance += (x[i] - mean_x) * (y[i] - mean_y);
    variance += (x[i] - mean_x) * (x[i] - mean_x);
  }
  return covariance / variance;
}

}  // namespace tandem::measure
