// The terminal: its size, its keys, and its state before.
#pragma once

#include <chrono>
#include <cstddef>
#include <string>

namespace tandem::doctor {

struct Size {
  std::size_t columns = 80;
  std::size_t rows = 24;
};
/// 80 x 24 when `descriptor` is no terminal; COLUMNS decides then, if it is set.
Size terminal_size(int descriptor);

/// The whole screen, keys without echo. One at a time. What was there before comes back with the destructor; SIGINT,
/// SIGTERM, SIGHUP and SIGQUIT end it in an orderly way.
class Terminal {
 public:
  Terminal();
  ~Terminal();
  Terminal(const Terminal &) = delete;
  Terminal & operator=(const Terminal &) = delete;

  /// Replaces what is on the screen. No line feed at the end, or the screen moves up when it is full.
  void show(const std::string & text);
  /// Waits for a key. 0: the time is over or the size has changed; 'q': also at a signal or the end of input. Arrows are
  /// 'k' and 'j', Page up and down 'b' and ' '.
  char key(std::chrono::milliseconds limit);

 private:
  std::string typed_;  ///< read, but not yet told
};

}  // namespace tandem::doctor
