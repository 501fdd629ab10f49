// See statistics.hpp. Merging follows Chan, Golub and LeVeque, "Updating Formulae and a Pairwise Algorithm" (1979).
#include "statistics.hpp"

#include <algorithm>

namespace performance_test {

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

}  // namespace performance_test
