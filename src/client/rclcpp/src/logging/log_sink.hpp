// Where lines of the log go besides the console.
#pragma once

#include <ctime>
#include <memory>
#include <string>

#include "rclcpp/logging.hpp"

namespace rclcpp::detail {

struct LogLine {
  const char * name;
  Logger::Level level;
  const LogLocation & location;
  const char * message;
  timespec stamp;  ///< since the epoch
};

/// Thread-safe. A line that is logged while one is written, by the same thread, does not come back here.
class LogSink {
 public:
  LogSink() = default;
  virtual ~LogSink() = default;
  RCLCPP_DISABLE_COPY(LogSink)
  virtual void write(const LogLine & line) noexcept = 0;
};

/// Lines of this logger and its children go to `sink`, until it is detached or a later one is attached. A null sink
/// takes them, too, and drops them: they do not go to that of a parent.
void attach_log_sink(const std::string & logger, std::shared_ptr<LogSink> sink);
void detach_log_sink(const std::string & logger, const std::shared_ptr<LogSink> & sink);

}  // namespace rclcpp::detail
