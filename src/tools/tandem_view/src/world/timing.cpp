#include "world/timing.hpp"

#include <algorithm>
#include <cmath>

namespace tandem::view {

std::size_t Histogram::bucket_of(std::int64_t duration) {
  if (duration <= 1000) {
    return 0;
  }
  const double bucket = 10 * std::log10(static_cast<double>(duration) / 1000);
  return std::min(static_cast<std::size_t>(bucket), kBuckets - 1);
}

void Histogram::go_to(std::int64_t second) {
  const std::int64_t steps = std::clamp<std::int64_t>(second - second_, 0, static_cast<std::int64_t>(kSeconds));
  for (std::int64_t i = 1; i <= steps; ++i) {
    rings_[static_cast<std::size_t>(second - steps + i) % kSeconds].fill(0);
  }
  second_ = std::max(second_, second);
}

void Histogram::add(std::int64_t time, std::int64_t duration) {
  go_to(time / 1'000'000'000);
  ++rings_[static_cast<std::size_t>(second_) % kSeconds][bucket_of(duration)];
}

std::array<std::uint64_t, Histogram::kBuckets> Histogram::counts(std::int64_t time) {
  go_to(time / 1'000'000'000);
  std::array<std::uint64_t, kBuckets> sums{};
  for (const auto & ring : rings_) {
    for (std::size_t i = 0; i < kBuckets; ++i) {
      sums[i] += ring[i];
    }
  }
  return sums;
}

}  // namespace tandem::view
