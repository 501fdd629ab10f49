// What Cyclone has to say: warnings become lines of ours, and the reason of a failed call becomes part of its error.
#pragma once

#include <string>
#include <vector>

namespace rmw_cyclonedds {

/// From now on Cyclone's warnings and errors go to stderr in our form, no text twice. The first call counts.
void catch_log();

/// Keeps what Cyclone says in this thread for as long as it lives; nothing of it is printed.
class LogCapture {
 public:
  LogCapture();
  ~LogCapture();
  LogCapture(const LogCapture &) = delete;
  LogCapture & operator=(const LogCapture &) = delete;
  const std::vector<std::string> & lines() const { return lines_; }

 private:
  friend struct LogAccess;
  std::vector<std::string> lines_;
};

}  // namespace rmw_cyclonedds
