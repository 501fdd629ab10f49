// A named logger with a level of its own or of its parent.
#ifndef RCLCPP__LOGGER_HPP_
#define RCLCPP__LOGGER_HPP_

#include <filesystem>
#include <string>

#include "rclcpp/visibility_control.hpp"

namespace rclcpp {

namespace detail {
struct LoggerRecord;  // one per name, never destroyed
}

/// A small value: copy it freely. Thread-safe.
class RCLCPP_PUBLIC Logger {
 public:
  enum class Level { Unset = 0, Debug = 10, Info = 20, Warn = 30, Error = 40, Fatal = 50 };

  Logger(const Logger &) = default;
  Logger & operator=(const Logger &) = default;

  const char * get_name() const;
  /// The logger "<name>.<suffix>", which has this one's level unless it is given its own. Its lines are on /rosout from
  /// then on, if this one's are.
  Logger get_child(const std::string & suffix) const;
  /// \throws exceptions::RCLInvalidArgument for a number that is no level.
  void set_level(Level level);
  Level get_effective_level() const;

 private:
  friend RCLCPP_PUBLIC Logger get_logger(const std::string & name);
  explicit Logger(detail::LoggerRecord * record) : record_(record) {}
  detail::LoggerRecord * record_;
};

/// The logger of this name; dots in names make a tree.
RCLCPP_PUBLIC Logger get_logger(const std::string & name);

/// Where programs may put files of logs: ROS_LOG_DIR, or $ROS_HOME/log, or ~/.ros/log. A "~" in front stands for the home folder. rclcpp
/// itself writes none. \throws exceptions::RCLError when the home folder is needed and unknown.
RCLCPP_PUBLIC std::filesystem::path get_logging_directory();

}  // namespace rclcpp

#endif  // RCLCPP__LOGGER_HPP_
