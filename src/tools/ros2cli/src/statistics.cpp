#include "statistics.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace ros2cli {
namespace {

constexpr double kNanosecond = 1e-9;
/// Publishers' messages are at most this far out of order; more is a clock that was set back.
constexpr std::int64_t kClockSetBack = 1'000'000'000;

}  // namespace

Summary summarize(const std::deque<double> & values) {
  if (values.empty()) {
    return {};
  }
  const auto [min, max] = std::minmax_element(values.begin(), values.end());
  const auto count = static_cast<double>(values.size());
  const double mean = std::accumulate(values.begin(), values.end(), 0.0) / count;
  const double squares = std::accumulate(values.begin(), values.end(), 0.0, [mean](double sum, double value) {
    return sum + (value - mean) * (value - mean);
  });
  return {mean, *min, *max, std::sqrt(squares / count), values.size()};
}

bool Times::add(std::int64_t time) {
  const bool set_back = !times_.empty() && time < times_.back() - kClockSetBack;
  if (set_back) {
    times_.clear();
  }
  times_.insert(std::upper_bound(times_.begin(), times_.end(), time), time);
  if (times_.size() > window_ + 1) {
    times_.pop_front();
  }
  return !set_back;
}

Summary Times::intervals() const {
  std::deque<double> intervals;
  for (std::size_t i = 1; i < times_.size(); ++i) {
    intervals.push_back(static_cast<double>(times_[i] - times_[i - 1]) * kNanosecond);
  }
  return summarize(intervals);
}

}  // namespace ros2cli
