// rcutils_logging_* and the RCUTILS_LOG macros, on rclcpp's loggers: rcutils's own would have levels and an output of their own.
// A program that is linked with rclcpp gets these in place of those of librcutils.
#include "rcutils/logging.h"

#include <atomic>
#include <cstdarg>
#include <cstdint>
#include <cstdio>
#include <ctime>
#include <string>

#include "logging/log_settings.hpp"
#include "logging/log_sink.hpp"
#include "rclcpp/logging.hpp"
#include "rcutils/time.h"

namespace {

using Level = rclcpp::Logger::Level;

bool is_level(int level) { return level >= 0 && level <= RCUTILS_LOG_SEVERITY_FATAL && level % 10 == 0; }

const char * name_or_none(const char * name) { return name ? name : ""; }

std::string text_of(const char * format, std::va_list arguments) {
  std::va_list again;
  va_copy(again, arguments);
  const int length = std::vsnprintf(nullptr, 0, format, arguments);
  std::string text(length > 0 ? static_cast<std::size_t>(length) : 0, '\0');
  std::vsnprintf(text.data(), text.size() + 1, format, again);
  va_end(again);
  return text;
}

rclcpp::detail::LogLocation place_of(const rcutils_log_location_t * location) {
  if (!location) return {"", "", 0};
  return {location->function_name, location->file_name, static_cast<int>(location->line_number)};
}

void log_line(const rcutils_log_location_t * location, int severity, const char * name, const char * format,
              std::va_list arguments) {
  const std::string text = text_of(format, arguments);
  const auto logger = rclcpp::get_logger(name_or_none(name));
  rclcpp::detail::log(logger, static_cast<Level>(severity), place_of(location), "%s", text.c_str());
}

// The handler that a program has set, for lines of all loggers.
std::atomic<rcutils_logging_output_handler_t> handler{rcutils_logging_console_output_handler};

/// Calls the handler with a va_list, which there is no other way to make.
void call_handler(const rcutils_log_location_t & location, const rclcpp::detail::LogLine & line, const char * format,
                  ...) {
  std::va_list arguments;
  va_start(arguments, format);
  const auto stamp = RCUTILS_S_TO_NS(static_cast<std::int64_t>(line.stamp.tv_sec)) + line.stamp.tv_nsec;
  handler.load()(&location, static_cast<int>(line.level), line.name, stamp, format, &arguments);
  va_end(arguments);
}

void hand_over(const rclcpp::detail::LogLine & line) {
  static thread_local rcutils_log_location_t location;  // handlers keep the pointer: that of rcutils is static
  location = {line.location.function, line.location.file, static_cast<std::size_t>(line.location.line)};
  call_handler(location, line, "%s", line.message);
}

}  // namespace

extern "C" {

RCUTILS_PUBLIC bool g_rcutils_logging_initialized = true;

RCUTILS_PUBLIC rcutils_ret_t rcutils_logging_initialize_with_allocator(rcutils_allocator_t) { return RCUTILS_RET_OK; }
RCUTILS_PUBLIC rcutils_ret_t rcutils_logging_initialize() {
  g_rcutils_logging_initialized = true;
  return RCUTILS_RET_OK;
}
/// Forgets the levels of all loggers. It ends nothing: rclcpp logs on.
RCUTILS_PUBLIC rcutils_ret_t rcutils_logging_shutdown() {
  rclcpp::detail::forget_log_levels();
  g_rcutils_logging_initialized = false;
  return RCUTILS_RET_OK;
}

RCUTILS_PUBLIC rcutils_logging_output_handler_t rcutils_logging_get_output_handler() { return handler; }

/// It takes the place of the console; /rosout stays. Null: the console.
RCUTILS_PUBLIC void rcutils_logging_set_output_handler(rcutils_logging_output_handler_t function) {
  handler = function ? function : rcutils_logging_console_output_handler;
  rclcpp::detail::set_log_output(handler == rcutils_logging_console_output_handler ? nullptr : hand_over);
}

// NOLINTNEXTLINE: the parameters of rcutils
RCUTILS_PUBLIC void rcutils_logging_console_output_handler(const rcutils_log_location_t * location, int severity,
                                                           const char * name, rcutils_time_point_value_t timestamp,
                                                           const char * format, va_list * args) {
  const std::string text = text_of(format, *args);
  const timespec stamp{timestamp / 1000000000, timestamp % 1000000000};
  rclcpp::detail::write_to_console(
      {name_or_none(name), static_cast<Level>(severity), place_of(location), text.c_str(), stamp});
}

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
    rclcpp::detail::set_root_log_level(static_cast<Level>(level));
  } else {
    rclcpp::get_logger(name).set_level(static_cast<Level>(level));
  }
  return RCUTILS_RET_OK;
}

RCUTILS_PUBLIC int rcutils_logging_get_logger_effective_level(const char * name) {
  return name ? static_cast<int>(rclcpp::get_logger(name).get_effective_level()) : -1;
}

RCUTILS_PUBLIC bool rcutils_logging_logger_is_enabled_for(const char * name, int severity) {
  return severity >= static_cast<int>(rclcpp::get_logger(name_or_none(name)).get_effective_level());
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
