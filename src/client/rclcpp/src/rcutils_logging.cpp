// rcutils_logging_* and the RCUTILS_LOG macros, on rclcpp's loggers: rcutils's own would have levels and an output of their own.
// A program that is linked with rclcpp gets these in place of those of librcutils.
#include "rcutils/logging.h"

#include <cstdarg>
#include <cstdio>
#include <string>

#include "log_settings.hpp"
#include "rclcpp/logging.hpp"

namespace {

using Level = rclcpp::Logger::Level;

bool is_level(int level) { return level >= 0 && level <= RCUTILS_LOG_SEVERITY_FATAL && level % 10 == 0; }

std::string name_of(const char * name) { return name ? name : ""; }

void log_line(const rcutils_log_location_t * location, int severity, const char * name, const char * format,
              std::va_list arguments) {
  std::va_list again;
  va_copy(again, arguments);
  const int length = std::vsnprintf(nullptr, 0, format, arguments);
  std::string text(length > 0 ? static_cast<std::size_t>(length) : 0, '\0');
  std::vsnprintf(text.data(), text.size() + 1, format, again);
  va_end(again);
  const rclcpp::detail::LogLocation where =
      location ? rclcpp::detail::LogLocation{location->function_name, location->file_name,
                                             static_cast<int>(location->line_number)}
               : rclcpp::detail::LogLocation{"", "", 0};
  const auto logger = rclcpp::get_logger(name_of(name));
  rclcpp::detail::log(logger, static_cast<Level>(severity), where, "%s", text.c_str());
}

}  // namespace

extern "C" {

RCUTILS_PUBLIC bool g_rcutils_logging_initialized = true;

RCUTILS_PUBLIC rcutils_ret_t rcutils_logging_initialize_with_allocator(rcutils_allocator_t) { return RCUTILS_RET_OK; }
RCUTILS_PUBLIC rcutils_ret_t rcutils_logging_initialize() { return RCUTILS_RET_OK; }
RCUTILS_PUBLIC rcutils_ret_t rcutils_logging_shutdown() { return RCUTILS_RET_OK; }

RCUTILS_PUBLIC int rcutils_logging_get_default_logger_level() {
  return static_cast<int>(rclcpp::detail::default_log_level());
}

RCUTILS_PUBLIC void rcutils_logging_set_default_logger_level(int level) {
  if (is_level(level)) rclcpp::detail::set_default_log_level(static_cast<Level>(level));
}

RCUTILS_PUBLIC int rcutils_logging_get_logger_leveln(const char * name, size_t name_length) {
  if (!name) return -1;
  const std::string text(name, name_length);
  if (text.empty()) return rcutils_logging_get_default_logger_level();
  return static_cast<int>(rclcpp::detail::own_log_level(text));
}

RCUTILS_PUBLIC int rcutils_logging_get_logger_level(const char * name) {
  return name ? rcutils_logging_get_logger_leveln(name, std::string(name).size()) : -1;
}

RCUTILS_PUBLIC rcutils_ret_t rcutils_logging_set_logger_level(const char * name, int level) {
  if (!name || !is_level(level)) return RCUTILS_RET_INVALID_ARGUMENT;
  if (*name == '\0') {
    rcutils_logging_set_default_logger_level(level);
  } else {
    rclcpp::get_logger(name).set_level(static_cast<Level>(level));
  }
  return RCUTILS_RET_OK;
}

RCUTILS_PUBLIC int rcutils_logging_get_logger_effective_level(const char * name) {
  return name ? static_cast<int>(rclcpp::get_logger(name).get_effective_level()) : -1;
}

RCUTILS_PUBLIC bool rcutils_logging_logger_is_enabled_for(const char * name, int severity) {
  return severity >= static_cast<int>(rclcpp::get_logger(name_of(name)).get_effective_level());
}

RCUTILS_PUBLIC void rcutils_log(const rcutils_log_location_t * location, int severity, const char * name,
                                const char * format, ...) {
  if (!rcutils_logging_logger_is_enabled_for(name, severity)) return;
  std::va_list arguments;
  va_start(arguments, format);
  log_line(location, severity, name, format, arguments);
  va_end(arguments);
}

RCUTILS_PUBLIC void rcutils_log_internal(const rcutils_log_location_t * location, int severity, const char * name,
                                         const char * format, ...) {
  std::va_list arguments;
  va_start(arguments, format);
  log_line(location, severity, name, format, arguments);
  va_end(arguments);
}

}  // extern "C"
