// What the verbs that print figures of a topic once a second have in common: `hz`, `bw` and `delay`.
#pragma once

#include <algorithm>
#include <chrono>
#include <cstddef>
#include <string>

#include "command/commands.hpp"
#include "graph/session.hpp"
#include "tandem/measure/clock.hpp"
#include "tandem/measure/pacer.hpp"

namespace ros2cli {

/// How often they look for messages.
constexpr std::chrono::milliseconds kFigureLook{10};

/// Of a verb that watches one topic.
struct FigureOptions {
  SessionOptions session;
  std::string topic;
  std::size_t window = 0;
  bool json = false;
};

/// `window` is the default.
void declare_figures(Commands & commands, CLI::App & app, FigureOptions & options, std::size_t window);

/// Tells once a second that it is time to print.
class EverySecond {
 public:
  EverySecond() { pacer_.start(tandem::measure::now_ns()); }
  bool is_due() {
    const bool due = left() == std::chrono::nanoseconds(0);
    next_ += due ? 1 : 0;
    return due;
  }
  /// Until then; 0 when it is due.
  std::chrono::nanoseconds left() const {
    return std::chrono::nanoseconds(std::max<std::int64_t>(pacer_.due(next_) - tandem::measure::now_ns(), 0));
  }

 private:
  tandem::measure::Pacer pacer_{1};
  std::uint64_t next_ = 1;
};

}  // namespace ros2cli
