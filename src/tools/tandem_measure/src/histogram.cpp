// Recording and percentiles; the encoding is in histogram_encoding.cpp.
#include "tandem/measure/histogram.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <stdexcept>

namespace tandem::measure {

Histogram::Histogram(const Range & range) : range_(range) {
  constexpr auto kLimit = std::int64_t{1} << 61;
  if (range.digits < 0 || range.digits > 5) throw std::invalid_argument("a histogram has 0 to 5 significant digits");
  if (range.lowest < 1 || range.lowest > kLimit / 4 || range.highest < 2 * range.lowest || range.highest > kLimit) {
    throw std::invalid_argument("a histogram's range needs 1 <= lowest and 2 * lowest <= highest");
  }
  const auto steps = static_cast<std::uint64_t>(2 * std::pow(10, range.digits));
  unit_magnitude_ = static_cast<int>(std::bit_width(static_cast<std::uint64_t>(range.lowest))) - 1;
  half_magnitude_ = static_cast<int>(std::bit_width(steps - 1)) - 1;
  if (unit_magnitude_ + half_magnitude_ > 60) throw std::invalid_argument("a histogram's lowest value is too large");
  counts_.resize(index_of(range.highest) + 1);
}

std::size_t Histogram::index_of(std::int64_t value) const noexcept {
  const auto scaled = static_cast<std::uint64_t>(value) >> unit_magnitude_;
  const int bucket = std::max(static_cast<int>(std::bit_width(scaled)) - half_magnitude_ - 1, 0);
  return (static_cast<std::size_t>(bucket) << half_magnitude_) + static_cast<std::size_t>(scaled >> bucket);
}

std::int64_t Histogram::width_at(std::size_t index) const noexcept {
  const auto bucket = std::max<std::int64_t>(static_cast<std::int64_t>(index >> half_magnitude_) - 1, 0);
  return std::int64_t{1} << (bucket + unit_magnitude_);
}

std::int64_t Histogram::lowest_at(std::size_t index) const noexcept {
  const auto bucket = std::max<std::int64_t>(static_cast<std::int64_t>(index >> half_magnitude_) - 1, 0);
  return (static_cast<std::int64_t>(index) - (bucket << half_magnitude_)) << (bucket + unit_magnitude_);
}

std::int64_t Histogram::highest_at(std::size_t index) const noexcept { return lowest_at(index) + width_at(index) - 1; }

void Histogram::record(std::int64_t value, std::uint64_t count) noexcept {
  if (count == 0) return;
  const std::int64_t kept = std::clamp<std::int64_t>(value, 0, range_.highest);
  const std::size_t index = index_of(kept);
  counts_[index] += count;
  total_ += count;
  used_ = std::max(used_, index + 1);
  min_ = std::min(min_, kept);
  max_ = std::max(max_, kept);
}

void Histogram::merge(const Histogram & other) noexcept {
  if (other.total_ == 0) return;
  for (std::size_t i = 0; i < other.used_; ++i) {
    if (other.counts_[i] != 0) record(other.lowest_at(i), other.counts_[i]);
  }
  min_ = std::min(min_, other.min_);
  max_ = std::max(max_, std::min(other.max_, range_.highest));
}

void Histogram::reset() noexcept {
  std::fill_n(counts_.begin(), used_, 0);
  used_ = 0;
  total_ = 0;
  min_ = INT64_MAX;
  max_ = 0;
}

std::optional<std::int64_t> Histogram::percentile(double percent) const noexcept {
  const double total = static_cast<double>(total_);
  // Rounding: 1000 samples are enough for 99.9 %, though 100 - 99.9 is a little less than 0.1.
  if (total_ == 0 || (percent < 100 && total * (100 - percent) / 100 < 1 - 1e-6)) return std::nullopt;
  const auto wanted = std::max<std::uint64_t>(static_cast<std::uint64_t>(std::ceil(total * percent / 100 - 1e-6)), 1);
  std::uint64_t seen = 0;
  for (std::size_t i = 0; i < used_; ++i) {
    seen += counts_[i];
    if (seen >= wanted) return std::min(highest_at(i), max_);
  }
  return max_;
}

}  // namespace tandem::measure
