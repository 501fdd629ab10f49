// What the verbs that print figures of a topic once a second have in common: `hz`, `bw` and `delay`.
#pragma once

#include <chrono>
#include <cstddef>
#include <string>

#include "commands.hpp"
#include "session.hpp"

namespace ros2cli {

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
  bool is_due() {
    const bool due = std::chrono::steady_clock::now() >= next_;
    next_ += std::chrono::seconds(due ? 1 : 0);
    return due;
  }
  std::chrono::steady_clock::time_point next() const { return next_; }

 private:
  std::chrono::steady_clock::time_point next_ = std::chrono::steady_clock::now() + std::chrono::seconds(1);
};

}  // namespace ros2cli
