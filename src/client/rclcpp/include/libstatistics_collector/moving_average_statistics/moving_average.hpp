// Mean, extremes and deviation of measurements, without keeping them.
#ifndef LIBSTATISTICS_COLLECTOR__MOVING_AVERAGE_STATISTICS__MOVING_AVERAGE_HPP_
#define LIBSTATISTICS_COLLECTOR__MOVING_AVERAGE_STATISTICS__MOVING_AVERAGE_HPP_

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <mutex>

#include "libstatistics_collector/moving_average_statistics/types.hpp"

namespace libstatistics_collector::moving_average_statistics {

/// Measures by Welford's recurrence, from the last Reset() on. Without measurements every value is not a number.
/// Thread-safe.
class MovingAverageStatistics {
 public:
  double Average() const { return GetStatistics().average; }
  double Max() const { return GetStatistics().max; }
  double Min() const { return GetStatistics().min; }
  double StandardDeviation() const { return GetStatistics().standard_deviation; }

  StatisticData GetStatistics() const {
    const std::lock_guard<std::mutex> lock(mutex_);
    StatisticData data;
    if (count_ != 0) {
      data = {average_, min_, max_, std::sqrt(squares_ / static_cast<double>(count_)), count_};
    }
    return data;
  }
  std::uint64_t GetCount() const {
    const std::lock_guard<std::mutex> lock(mutex_);
    return count_;
  }

  void Reset() {
    const std::lock_guard<std::mutex> lock(mutex_);
    average_ = 0;
    min_ = std::numeric_limits<double>::infinity();
    max_ = -std::numeric_limits<double>::infinity();
    squares_ = 0;
    count_ = 0;
  }
  /// Passes over what is not a number.
  virtual void AddMeasurement(double item) {
    if (std::isnan(item)) return;
    const std::lock_guard<std::mutex> lock(mutex_);
    ++count_;
    const double before = average_;
    average_ += (item - before) / static_cast<double>(count_);
    squares_ += (item - before) * (item - average_);
    min_ = std::min(min_, item);
    max_ = std::max(max_, item);
  }

 private:
  mutable std::mutex mutex_;  // guards what follows
  double average_ = 0;
  double min_ = std::numeric_limits<double>::infinity();
  double max_ = -std::numeric_limits<double>::infinity();
  double squares_ = 0;  // of the deviations from the average, added up
  std::uint64_t count_ = 0;
};

}  // namespace libstatistics_collector::moving_average_statistics

#endif  // LIBSTATISTICS_COLLECTOR__MOVING_AVERAGE_STATISTICS__MOVING_AVERAGE_HPP_
