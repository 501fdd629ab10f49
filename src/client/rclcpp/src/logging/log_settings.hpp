// What the command line and rcutils say about logging.
#pragma once

#include <string>

#include "rclcpp/logger.hpp"

namespace rclcpp::detail {

struct LogLine;

/// Of loggers that neither have a level nor a parent that has one; unset stands for INFO.
void set_default_log_level(Logger::Level level);
/// The same, but an unset level lets all lines through.
void set_root_log_level(Logger::Level level);
/// As if no program had set any.
void forget_log_levels();
Logger::Level default_log_level();
/// What the logger of this name was given itself; unset if nothing.
Logger::Level own_log_level(const std::string & name);
void set_console_logs(bool enabled);

/// Where each line goes besides the sinks: `output`, or null for the console, which set_console_logs() turns off.
void set_log_output(void (*output)(const LogLine & line));
void write_to_console(const LogLine & line);

}  // namespace rclcpp::detail
