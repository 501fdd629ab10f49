// See statistics.hpp. Merging follows Chan, Golub and LeVeque, "Updating Formulae and a Pairwise Algorithm" (1979).
#include "tandem/measure/statistics.hpp"

#include <algorithm>

namespace tandem::measure {
namespace {

double nearest_rank(const std::vector<double> & sorted, double fraction) {
  const auto rank = static_cast<std::size_t>(std::ceil(fraction * static_cast<double>(sorted.size())));
  return sorted[std::max<std::size_t>(rank, 1) - 1];
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

}  // namespace tandem::measure
