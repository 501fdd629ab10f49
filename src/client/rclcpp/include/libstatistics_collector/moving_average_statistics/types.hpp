// What a row of measurements comes to.
#ifndef LIBSTATISTICS_COLLECTOR__MOVING_AVERAGE_STATISTICS__TYPES_HPP_
#define LIBSTATISTICS_COLLECTOR__MOVING_AVERAGE_STATISTICS__TYPES_HPP_

#include <cmath>
#include <cstdint>
#include <string>

namespace libstatistics_collector::moving_average_statistics {

/// Without measurements all but the count are not a number.
struct StatisticData {
  double average = std::nan("");
  double min = std::nan("");
  double max = std::nan("");
  double standard_deviation = std::nan("");  // of the population
  std::uint64_t sample_count = 0;
};

/// "avg=1.000000, min=1.000000, max=1.000000, std_dev=0.000000, count=1"
inline std::string StatisticsDataToString(const StatisticData & data) {
  return "avg=" + std::to_string(data.average) + ", min=" + std::to_string(data.min) +
         ", max=" + std::to_string(data.max) + ", std_dev=" + std::to_string(data.standard_deviation) +
         ", count=" + std::to_string(data.sample_count);
}

}  // namespace libstatistics_collector::moving_average_statistics

#endif  // LIBSTATISTICS_COLLECTOR__MOVING_AVERAGE_STATISTICS__TYPES_HPP_
