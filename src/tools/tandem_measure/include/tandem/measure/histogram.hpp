// A log-linear histogram, interchangeable with HdrHistogram's V2 encoding.
//
// Layout: values 0 .. 2h-1 have a counter each (times the unit); beyond, each doubling of the value is divided into h
// counters, so that the relative error is below 10^-digits. h is the power of two that this needs.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace tandem::measure {

/// Not thread-safe.
class Histogram {
 public:
  struct Range {
    std::int64_t lowest = 1;                   ///< smallest value told from 0; at least 1
    std::int64_t highest = 3'600'000'000'000;  ///< at least 2 * lowest; larger values count as this one
    int digits = 3;                            ///< significant decimal digits, 0 .. 5
  };

  Histogram() : Histogram(Range()) {}
  /// \throws std::invalid_argument when the range is not possible.
  explicit Histogram(const Range & range);

  /// Allocates / locks / system calls: none. Values below 0 count as 0.
  void record(std::int64_t value, std::uint64_t count = 1) noexcept;
  void merge(const Histogram & other) noexcept;
  void reset() noexcept;

  std::uint64_t count() const noexcept { return total_; }
  /// Exact for recorded values, else to the resolution. 0 when empty.
  std::int64_t min() const noexcept { return total_ == 0 ? 0 : min_; }
  std::int64_t max() const noexcept { return max_; }
  /// The value that `percent` (0 .. 100) of all samples do not exceed, to the resolution; nothing when there are too
  /// few samples for at least one to lie beyond it.
  std::optional<std::int64_t> percentile(double percent) const noexcept;

  /// V2, compressed, in base64.
  std::string encode() const;
  /// \throws std::invalid_argument with the reason when `text` is not what encode() writes.
  static Histogram decode(std::string_view text);

 private:
  std::size_t index_of(std::int64_t value) const noexcept;
  std::int64_t lowest_at(std::size_t index) const noexcept;
  std::int64_t highest_at(std::size_t index) const noexcept;
  std::int64_t width_at(std::size_t index) const noexcept;
  void put_counts(std::string & out) const;
  void take_counts(std::string_view bytes);

  Range range_;
  int unit_magnitude_ = 0;  // log2 of the unit
  int half_magnitude_ = 0;  // log2 of h
  std::vector<std::uint64_t> counts_;
  std::size_t used_ = 0;  // counters beyond are 0
  std::uint64_t total_ = 0;
  std::int64_t min_ = INT64_MAX;
  std::int64_t max_ = 0;
};

}  // namespace tandem::measure
