// When the last messages of a topic came.
#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>

#include "tandem/measure/statistics.hpp"

namespace ros2cli {

/// The times of the last messages of a topic, in order, whatever the order in which they are added: messages of several
/// publishers are taken one publisher after the other.
class Times {
 public:
  /// Of `window` intervals, which is one message more.
  explicit Times(std::size_t window) : window_(window) {}

  /// ns since the epoch. \return false if the clock was set back, and everything so far is forgotten.
  bool add(std::int64_t time);

  std::int64_t last() const { return times_.empty() ? 0 : times_.back(); }
  /// Of the intervals, in seconds.
  tandem::measure::Statistics intervals() const;

 private:
  std::size_t window_;
  std::deque<std::int64_t> times_;
};

}  // namespace ros2cli
