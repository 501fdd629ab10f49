// Loggers, their levels, the line on stderr, and handing it to the sinks.
//
// Environment, as in ROS: RCUTILS_CONSOLE_OUTPUT_FORMAT ("[{severity}] [{time}] [{name}]: {message}"; also
// {function_name}, {file_name}, {line_number}), RCUTILS_COLORIZED_OUTPUT (0 or 1; else by whether it is a terminal),
// RCUTILS_LOGGING_USE_STDOUT (1).
#include "rclcpp/logging.hpp"

#include <unistd.h>

#include <algorithm>
#include <cstdarg>
#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <mutex>
#include <string>
#include <unordered_map>
#include <vector>

#include "logging/log_settings.hpp"
#include "logging/log_sink.hpp"
#include "rclcpp/exceptions.hpp"

namespace rclcpp {
namespace detail {

struct LoggerRecord {
  std::string name;
  LoggerRecord * parent = nullptr;
  std::atomic<int> level{0};
  std::atomic<bool> uses_parents_sink{false};   // it, or a child of it, was made by get_child()
  std::vector<std::shared_ptr<LogSink>> sinks;  // under the mutex of the settings; the last one counts
};

namespace {

constexpr std::size_t kStackLine = 1024;

struct Settings {
  std::mutex mutex;
  std::unordered_map<std::string, LoggerRecord *> records;
  std::atomic<int> default_level{static_cast<int>(Logger::Level::Info)};
  std::atomic<bool> console{true};
  std::atomic<void (*)(const LogLine &)> output{nullptr};
  std::atomic<int> sinks{0};  // of all loggers
  std::string format = "[{severity}] [{time}] [{name}]: {message}";
  std::FILE * stream = stderr;
  bool colour = false;

  Settings() {
    if (const char * text = std::getenv("RCUTILS_CONSOLE_OUTPUT_FORMAT"); text && *text) format = text;
    if (is("RCUTILS_LOGGING_USE_STDOUT", '1')) stream = stdout;
    colour = is("RCUTILS_COLORIZED_OUTPUT", '1') || (!is("RCUTILS_COLORIZED_OUTPUT", '0') && isatty(fileno(stream)));
  }
  static bool is(const char * variable, char value) {
    const char * text = std::getenv(variable);
    return text && text[0] == value && text[1] == '\0';
  }
};

/// Never destroyed: destructors of static objects may log.
Settings & settings() {
  static auto * instance = new Settings;
  return *instance;
}

LoggerRecord * find_record(const std::string & name) {
  auto & all = settings();
  auto & slot = all.records[name];
  if (!slot) {
    auto * record = slot = new LoggerRecord;
    record->name = name;
    const std::size_t dot = name.rfind('.');
    if (dot != std::string::npos) record->parent = find_record(name.substr(0, dot));
    return record;  // the recursion may have moved `slot`
  }
  return slot;
}

const char * severity(Logger::Level level) {
  switch (level) {
    case Logger::Level::Debug: return "DEBUG";
    case Logger::Level::Info: return "INFO";
    case Logger::Level::Warn: return "WARN";
    case Logger::Level::Error: return "ERROR";
    case Logger::Level::Fatal: return "FATAL";
    default: return "UNSET";
  }
}

const char * colour_of(Logger::Level level) {
  switch (level) {
    case Logger::Level::Debug: return "\033[32m";
    case Logger::Level::Warn: return "\033[33m";
    case Logger::Level::Error:
    case Logger::Level::Fatal: return "\033[31m";
    default: return "\033[0m";
  }
}

std::string to_text(const timespec & stamp) {
  char text[48];
  std::snprintf(text, sizeof text, "%lld.%09ld", static_cast<long long>(stamp.tv_sec), stamp.tv_nsec);
  return text;
}

/// Appends the token's value. \return false for an unknown token.
bool append_token(std::string & text, const std::string & token, const LogLine & line) {
  if (token == "severity") {
    text += severity(line.level);
  } else if (token == "time") {
    text += to_text(line.stamp);
  } else if (token == "name") {
    text += line.name;
  } else if (token == "message") {
    text += line.message;
  } else if (token == "function_name") {
    text += line.location.function;
  } else if (token == "file_name") {
    text += line.location.file;
  } else if (token == "line_number") {
    text += std::to_string(line.location.line);
  } else {
    return false;
  }
  return true;
}

/// The sink of the logger, or of the nearest ancestor that has one and made it by get_child(), or null.
std::shared_ptr<LogSink> sink_of(const char * logger) {
  if (settings().sinks.load(std::memory_order_relaxed) == 0) return nullptr;
  const std::lock_guard<std::mutex> lock(settings().mutex);
  const auto * record = find_record(logger);
  while (record && record->sinks.empty()) record = record->uses_parents_sink ? record->parent : nullptr;
  return record ? record->sinks.back() : nullptr;
}

/// To the console, or what takes its place, and the sink.
void write_line(const LogLine & line, std::shared_ptr<LogSink> sink) {
  if (auto * output = settings().output.load()) {
    output(line);
  } else if (settings().console) {
    write_to_console(line);
  }
  if (!sink) return;
  static thread_local bool is_writing = false;
  if (is_writing) return;
  is_writing = true;
  sink->write(line);
  sink.reset();  // it may be the last reference, and its end may log
  is_writing = false;
}

}  // namespace

void attach_log_sink(const std::string & logger, std::shared_ptr<LogSink> sink) {
  const std::lock_guard<std::mutex> lock(settings().mutex);
  find_record(logger)->sinks.push_back(std::move(sink));
  settings().sinks.fetch_add(1, std::memory_order_relaxed);
}

void detach_log_sink(const std::string & logger, const std::shared_ptr<LogSink> & sink) {
  const std::lock_guard<std::mutex> lock(settings().mutex);
  auto & sinks = find_record(logger)->sinks;
  const auto found = std::find(sinks.begin(), sinks.end(), sink);
  if (found == sinks.end()) return;
  sinks.erase(found);
  settings().sinks.fetch_sub(1, std::memory_order_relaxed);
}

void set_default_log_level(Logger::Level level) {
  set_root_log_level(level == Logger::Level::Unset ? Logger::Level::Info : level);
}

void set_root_log_level(Logger::Level level) { settings().default_level = static_cast<int>(level); }

void forget_log_levels() {
  const std::lock_guard<std::mutex> lock(settings().mutex);
  for (const auto & [name, record] : settings().records) record->level = 0;
  settings().default_level = static_cast<int>(Logger::Level::Info);
}

Logger::Level default_log_level() { return static_cast<Logger::Level>(settings().default_level.load()); }

Logger::Level own_log_level(const std::string & name) {
  const std::lock_guard<std::mutex> lock(settings().mutex);
  const auto & records = settings().records;  // a question makes no logger
  const auto found = records.find(name);
  return found == records.end() ? Logger::Level::Unset : static_cast<Logger::Level>(found->second->level.load());
}

void set_console_logs(bool enabled) { settings().console = enabled; }

void set_log_output(void (*output)(const LogLine &)) { settings().output = output; }

void write_to_console(const LogLine & line) {
  auto & all = settings();
  const std::string & format = all.format;
  std::string text;
  if (all.colour) text += colour_of(line.level);
  for (std::size_t i = 0; i < format.size(); ++i) {
    const std::size_t close = format[i] == '{' ? format.find('}', i) : std::string::npos;
    if (close != std::string::npos && append_token(text, format.substr(i + 1, close - i - 1), line)) {
      i = close;
    } else {
      text += format[i];
    }
  }
  if (all.colour) text += "\033[0m";
  text += '\n';
  std::fwrite(text.data(), 1, text.size(), all.stream);  // one call: a line of its own
  std::fflush(all.stream);
}

void log(const Logger & logger, Logger::Level level, const LogLocation & location, const char * format, ...) {
  const char * name = logger.get_name();
  auto sink = sink_of(name);
  if (!sink && !settings().console && !settings().output) return;
  std::va_list arguments;
  va_start(arguments, format);
  char text[kStackLine];
  std::va_list again;
  va_copy(again, arguments);
  const int length = std::vsnprintf(text, sizeof text, format, arguments);
  va_end(arguments);
  timespec now{};
  clock_gettime(CLOCK_REALTIME, &now);
  if (length < static_cast<int>(sizeof text)) {
    write_line({name, level, location, length < 0 ? format : text, now}, std::move(sink));
  } else {
    std::string longer(static_cast<std::size_t>(length), '\0');
    std::vsnprintf(longer.data(), longer.size() + 1, format, again);
    write_line({name, level, location, longer.c_str(), now}, std::move(sink));
  }
  va_end(again);
}

bool log_throttle(std::atomic<std::int64_t> & last, const Clock & clock, double milliseconds) {
  const std::int64_t now = clock.now().nanoseconds();
  std::int64_t before =
      last.load(std::memory_order_relaxed);  // 0 at first: the time since the clock's begin has to be over
  // A clock that was set back must not silence the line for long.
  const bool due = now < before || static_cast<double>(now - before) >= milliseconds * 1e6;
  return due && last.compare_exchange_strong(before, now, std::memory_order_relaxed);
}

}  // namespace detail

const char * Logger::get_name() const { return record_->name.c_str(); }

Logger Logger::get_child(const std::string & suffix) const {
  const Logger child = get_logger(record_->name + "." + suffix);
  for (auto * record = child.record_; record && record != record_; record = record->parent) {
    record->uses_parents_sink = true;
  }
  return child;
}

void Logger::set_level(Level level) {
  const int number = static_cast<int>(level);
  if (number < 0 || number > static_cast<int>(Level::Fatal) || number % 10 != 0) {
    throw exceptions::RCLInvalidArgument("logger '" + record_->name + "': " + std::to_string(number) +
                                         " is no level; levels are 0, 10, 20, 30, 40 and 50");
  }
  record_->level.store(number, std::memory_order_relaxed);
}

Logger::Level Logger::get_effective_level() const {
  for (const auto * record = record_; record; record = record->parent) {
    const int level = record->level.load(std::memory_order_relaxed);
    if (level != 0) return static_cast<Level>(level);
  }
  return static_cast<Level>(detail::settings().default_level.load(std::memory_order_relaxed));
}

Logger get_logger(const std::string & name) {
  const std::lock_guard<std::mutex> lock(detail::settings().mutex);
  return Logger(detail::find_record(name));
}

std::filesystem::path get_logging_directory() {
  const auto of_environment = [](const char * name) -> std::string {
    const char * value = std::getenv(name);
    return value ? value : "";
  };
  std::string folder = of_environment("ROS_LOG_DIR");
  if (folder.empty()) {
    folder = of_environment("ROS_HOME");
    folder = (folder.empty() ? "~/.ros" : folder) + "/log";
  }
  if (folder.front() != '~') return folder;
  const std::string home = of_environment("HOME");
  if (home.empty())
    throw exceptions::RCLError(RCL_RET_ERROR, "the folder of logs is '" + folder + "', but HOME is not set");
  return home + folder.substr(1);
}

}  // namespace rclcpp
