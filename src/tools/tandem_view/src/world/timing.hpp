// How long things took over the last minute, as histograms of fixed size.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

namespace tandem::view {

/// Ten buckets for each power of ten, from 1 us on.
class Histogram {
 public:
  static constexpr std::size_t kBuckets = 90;
  static constexpr std::size_t kSeconds = 60;

  /// \param time  ns of a clock that goes on; what it counted in other seconds than the last 60 is forgotten.
  void add(std::int64_t time, std::int64_t duration);
  std::array<std::uint64_t, kBuckets> counts(std::int64_t time);

  static std::size_t bucket_of(std::int64_t duration);

 private:
  void go_to(std::int64_t second);

  std::int64_t second_ = 0;
  std::array<std::array<std::uint32_t, kBuckets>, kSeconds> rings_{};
};

/// Of the messages of one topic, as a reader sees them.
struct Timing {
  Histogram interval;  ///< between publications
  Histogram age;       ///< from header.stamp to publication
  Histogram delivery;  ///< from publication until this program took it
};

}  // namespace tandem::view
