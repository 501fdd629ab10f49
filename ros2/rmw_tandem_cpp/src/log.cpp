#include "log.hpp"

#include <rcutils/logging_macros.h>

#include <atomic>
#include <mutex>
#include <string>

#include "identifier.hpp"
#include "tandem/log.hpp"

namespace tandem_rmw {
namespace {

std::atomic<int> least{RMW_LOG_SEVERITY_WARN};

int severity_of(tandem::LogLevel level) {
  switch (level) {
    case tandem::LogLevel::kDebug: return RMW_LOG_SEVERITY_DEBUG;
    case tandem::LogLevel::kInfo: return RMW_LOG_SEVERITY_INFO;
    case tandem::LogLevel::kWarning: return RMW_LOG_SEVERITY_WARN;
    case tandem::LogLevel::kError: return RMW_LOG_SEVERITY_ERROR;
  }
  return RMW_LOG_SEVERITY_ERROR;
}

void log_line(tandem::LogLevel level, const std::string & message) {
  const int severity = severity_of(level);
  if (severity < least || !rcutils_logging_logger_is_enabled_for(kIdentifier, severity)) return;
  rcutils_log(nullptr, severity, kIdentifier, "%s", message.c_str());
}

}  // namespace

void set_log_severity(rmw_log_severity_t severity) { least = severity; }

void log_warning(const std::string & message) { log_line(tandem::LogLevel::kWarning, message); }

void log_to_ros() {
  static std::once_flag once;
  std::call_once(once, [] { tandem::set_log_sink(log_line); });
}

}  // namespace tandem_rmw
