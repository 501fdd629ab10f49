#include "terminal/keyboard.hpp"

#include <poll.h>
#include <unistd.h>

#include <array>

namespace ros2cli {

Keyboard::Keyboard(bool is_wanted) {
  const bool is_ours = isatty(STDIN_FILENO) != 0 && tcgetpgrp(STDIN_FILENO) == getpgrp();
  if (!is_wanted || !is_ours || tcgetattr(STDIN_FILENO, &before_) != 0) {
    return;
  }
  termios raw = before_;
  raw.c_lflag &= ~static_cast<tcflag_t>(ICANON | ECHO);
  raw.c_cc[VMIN] = 0;
  raw.c_cc[VTIME] = 0;
  is_there_ = tcsetattr(STDIN_FILENO, TCSANOW, &raw) == 0;
}

Keyboard::~Keyboard() {
  if (is_there_) {
    tcsetattr(STDIN_FILENO, TCSANOW, &before_);
  }
}

std::string Keyboard::next(std::chrono::milliseconds timeout) {
  pollfd input{STDIN_FILENO, POLLIN, 0};
  if (poll(&input, is_there_ ? 1 : 0, static_cast<int>(timeout.count())) <= 0) {
    return {};
  }
  std::array<char, 8> bytes{};
  const ssize_t count = read(STDIN_FILENO, bytes.data(), bytes.size());
  if (count <= 0) {
    is_there_ = false;  // the terminal has gone
    return {};
  }
  return {bytes.data(), static_cast<std::size_t>(count)};
}

}  // namespace ros2cli
