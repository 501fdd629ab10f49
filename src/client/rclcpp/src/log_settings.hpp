// What the command line says about logging.
#pragma once

#include "rclcpp/logger.hpp"

namespace rclcpp::detail {

/// Of loggers that neither have a level nor a parent that has one.
void set_default_log_level(Logger::Level level);
void set_console_logs(bool enabled);

}  // namespace rclcpp::detail
