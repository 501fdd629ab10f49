// Keys pressed while a command runs, without the Enter key.
#pragma once

#include <termios.h>

#include <chrono>
#include <string>

namespace ros2cli {

/// Where standard input is no terminal, or somebody else's, no key is ever pressed.
class Keyboard {
 public:
  explicit Keyboard(bool is_wanted);
  ~Keyboard();
  Keyboard(const Keyboard &) = delete;
  Keyboard & operator=(const Keyboard &) = delete;

  bool is_there() const { return is_there_; }
  /// The key pressed next, as the bytes that a terminal sends for it (" ", "\x1b[A"); empty after the timeout or a signal.
  std::string next(std::chrono::milliseconds timeout);

 private:
  bool is_there_ = false;
  termios before_{};
};

}  // namespace ros2cli
