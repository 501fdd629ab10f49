#include "topic/times.hpp"

#include <algorithm>

namespace ros2cli {
namespace {

constexpr double kNanosecond = 1e-9;
/// Publishers' messages are at most this far out of order; more is a clock that was set back.
constexpr std::int64_t kClockSetBack = 1'000'000'000;

}  // namespace

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

tandem::measure::Statistics Times::intervals() const {
  tandem::measure::Statistics intervals;
  for (std::size_t i = 1; i < times_.size(); ++i) {
    intervals.add(static_cast<double>(times_[i] - times_[i - 1]) * kNanosecond);
  }
  return intervals;
}

}  // namespace ros2cli
