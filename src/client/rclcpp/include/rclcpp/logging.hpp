// The logging macros: RCLCPP_<LEVEL>[_STREAM][_ONCE|_EXPRESSION|_FUNCTION|_SKIPFIRST|_THROTTLE|_SKIPFIRST_THROTTLE].
// A line that its logger's level leaves out costs one comparison; its arguments are not evaluated.
//
//   RCLCPP_INFO(logger, format, ...)                      printf-like
//   RCLCPP_INFO_STREAM(logger, a << b)
//   ..._ONCE(logger, ...)                                 the first time only
//   ..._EXPRESSION(logger, condition, ...)                when the condition holds
//   ..._FUNCTION(logger, function, ...)                   when (*function)() holds: a function, or a pointer to one
//   ..._SKIPFIRST(logger, ...)                            from the second time on
//   ..._THROTTLE(logger, clock, milliseconds, ...)        at most once in this time
//   ..._SKIPFIRST_THROTTLE(...)                           the same without the first of them
#ifndef RCLCPP__LOGGING_HPP_
#define RCLCPP__LOGGING_HPP_

#include <atomic>
#include <cstdint>
#include <sstream>
#include <type_traits>

#include "rclcpp/clock.hpp"
#include "rclcpp/logger.hpp"
#include "rclcpp/visibility_control.hpp"
#include "rcutils/logging_macros.h"

namespace rclcpp {
namespace detail {

struct LogLocation {
  const char * function;
  const char * file;
  int line;
};

inline bool log_enabled(const Logger & logger, Logger::Level level) { return level >= logger.get_effective_level(); }

/// Writes one line, whatever the level. Thread-safe; lines of different threads do not mix.
RCLCPP_PUBLIC void log(const Logger & logger, Logger::Level level, const LogLocation & location, const char * format,
                       ...) __attribute__((format(printf, 4, 5)));

/// Whether `milliseconds` have passed since the last time that this said yes. `last` is ns of `clock`, 0 at first.
RCLCPP_PUBLIC bool log_throttle(std::atomic<std::int64_t> & last, const Clock & clock, double milliseconds);

}  // namespace detail
}  // namespace rclcpp

#define RCLCPP_DETAIL_LOG(LEVEL, LOGGER, CONDITION, ...)                                                          \
  do {                                                                                                            \
    static_assert(std::is_convertible<decltype(LOGGER), const ::rclcpp::Logger &>::value,                         \
                  "the first argument of a logging macro is an rclcpp::Logger");                                  \
    const ::rclcpp::Logger & rclcpp_detail_logger = LOGGER;                                                       \
    if (::rclcpp::detail::log_enabled(rclcpp_detail_logger, ::rclcpp::Logger::Level::LEVEL) && (CONDITION)) {     \
      ::rclcpp::detail::log(rclcpp_detail_logger, ::rclcpp::Logger::Level::LEVEL, {__func__, __FILE__, __LINE__}, \
                            __VA_ARGS__);                                                                         \
    }                                                                                                             \
  } while (0)

#define RCLCPP_DETAIL_LOG_STREAM(LEVEL, LOGGER, CONDITION, STREAM)                                                \
  do {                                                                                                            \
    static_assert(std::is_convertible<decltype(LOGGER), const ::rclcpp::Logger &>::value,                         \
                  "the first argument of a logging macro is an rclcpp::Logger");                                  \
    const ::rclcpp::Logger & rclcpp_detail_logger = LOGGER;                                                       \
    if (::rclcpp::detail::log_enabled(rclcpp_detail_logger, ::rclcpp::Logger::Level::LEVEL) && (CONDITION)) {     \
      std::ostringstream rclcpp_detail_stream;                                                                    \
      rclcpp_detail_stream << STREAM;                                                                             \
      ::rclcpp::detail::log(rclcpp_detail_logger, ::rclcpp::Logger::Level::LEVEL, {__func__, __FILE__, __LINE__}, \
                            "%s", rclcpp_detail_stream.str().c_str());                                            \
    }                                                                                                             \
  } while (0)

// Each expansion of these lambdas has state of its own.
#define RCLCPP_DETAIL_FIRST               \
  ([]() -> std::atomic<bool> & {          \
    static std::atomic<bool> first{true}; \
    return first;                         \
  }()                                     \
               .exchange(false))
#define RCLCPP_DETAIL_THROTTLE(CLOCK, MILLISECONDS) \
  ::rclcpp::detail::log_throttle(                   \
      []() -> std::atomic<std::int64_t> & {         \
        static std::atomic<std::int64_t> last{0};   \
        return last;                                \
      }(),                                          \
      CLOCK, static_cast<double>(MILLISECONDS))

// DEBUG
#define RCLCPP_DEBUG(logger, ...) RCLCPP_DETAIL_LOG(Debug, logger, true, __VA_ARGS__)
#define RCLCPP_DEBUG_ONCE(logger, ...) RCLCPP_DETAIL_LOG(Debug, logger, RCLCPP_DETAIL_FIRST, __VA_ARGS__)
#define RCLCPP_DEBUG_EXPRESSION(logger, expression, ...) RCLCPP_DETAIL_LOG(Debug, logger, expression, __VA_ARGS__)
#define RCLCPP_DEBUG_FUNCTION(logger, function, ...) RCLCPP_DETAIL_LOG(Debug, logger, (*(function))(), __VA_ARGS__)
#define RCLCPP_DEBUG_SKIPFIRST(logger, ...) RCLCPP_DETAIL_LOG(Debug, logger, !RCLCPP_DETAIL_FIRST, __VA_ARGS__)
#define RCLCPP_DEBUG_THROTTLE(logger, clock, duration, ...) \
  RCLCPP_DETAIL_LOG(Debug, logger, RCLCPP_DETAIL_THROTTLE(clock, duration), __VA_ARGS__)
#define RCLCPP_DEBUG_SKIPFIRST_THROTTLE(logger, clock, duration, ...) \
  RCLCPP_DETAIL_LOG(Debug, logger, RCLCPP_DETAIL_THROTTLE(clock, duration) && !RCLCPP_DETAIL_FIRST, __VA_ARGS__)
#define RCLCPP_DEBUG_STREAM(logger, stream) RCLCPP_DETAIL_LOG_STREAM(Debug, logger, true, stream)
#define RCLCPP_DEBUG_STREAM_ONCE(logger, stream) RCLCPP_DETAIL_LOG_STREAM(Debug, logger, RCLCPP_DETAIL_FIRST, stream)
#define RCLCPP_DEBUG_STREAM_EXPRESSION(logger, expression, stream) \
  RCLCPP_DETAIL_LOG_STREAM(Debug, logger, expression, stream)
#define RCLCPP_DEBUG_STREAM_FUNCTION(logger, function, stream) \
  RCLCPP_DETAIL_LOG_STREAM(Debug, logger, (*(function))(), stream)
#define RCLCPP_DEBUG_STREAM_SKIPFIRST(logger, stream) \
  RCLCPP_DETAIL_LOG_STREAM(Debug, logger, !RCLCPP_DETAIL_FIRST, stream)
#define RCLCPP_DEBUG_STREAM_THROTTLE(logger, clock, duration, stream) \
  RCLCPP_DETAIL_LOG_STREAM(Debug, logger, RCLCPP_DETAIL_THROTTLE(clock, duration), stream)
#define RCLCPP_DEBUG_STREAM_SKIPFIRST_THROTTLE(logger, clock, duration, stream) \
  RCLCPP_DETAIL_LOG_STREAM(Debug, logger, RCLCPP_DETAIL_THROTTLE(clock, duration) && !RCLCPP_DETAIL_FIRST, stream)

// INFO
#define RCLCPP_INFO(logger, ...) RCLCPP_DETAIL_LOG(Info, logger, true, __VA_ARGS__)
#define RCLCPP_INFO_ONCE(logger, ...) RCLCPP_DETAIL_LOG(Info, logger, RCLCPP_DETAIL_FIRST, __VA_ARGS__)
#define RCLCPP_INFO_EXPRESSION(logger, expression, ...) RCLCPP_DETAIL_LOG(Info, logger, expression, __VA_ARGS__)
#define RCLCPP_INFO_FUNCTION(logger, function, ...) RCLCPP_DETAIL_LOG(Info, logger, (*(function))(), __VA_ARGS__)
#define RCLCPP_INFO_SKIPFIRST(logger, ...) RCLCPP_DETAIL_LOG(Info, logger, !RCLCPP_DETAIL_FIRST, __VA_ARGS__)
#define RCLCPP_INFO_THROTTLE(logger, clock, duration, ...) \
  RCLCPP_DETAIL_LOG(Info, logger, RCLCPP_DETAIL_THROTTLE(clock, duration), __VA_ARGS__)
#define RCLCPP_INFO_SKIPFIRST_THROTTLE(logger, clock, duration, ...) \
  RCLCPP_DETAIL_LOG(Info, logger, RCLCPP_DETAIL_THROTTLE(clock, duration) && !RCLCPP_DETAIL_FIRST, __VA_ARGS__)
#define RCLCPP_INFO_STREAM(logger, stream) RCLCPP_DETAIL_LOG_STREAM(Info, logger, true, stream)
#define RCLCPP_INFO_STREAM_ONCE(logger, stream) RCLCPP_DETAIL_LOG_STREAM(Info, logger, RCLCPP_DETAIL_FIRST, stream)
#define RCLCPP_INFO_STREAM_EXPRESSION(logger, expression, stream) \
  RCLCPP_DETAIL_LOG_STREAM(Info, logger, expression, stream)
#define RCLCPP_INFO_STREAM_FUNCTION(logger, function, stream) \
  RCLCPP_DETAIL_LOG_STREAM(Info, logger, (*(function))(), stream)
#define RCLCPP_INFO_STREAM_SKIPFIRST(logger, stream) \
  RCLCPP_DETAIL_LOG_STREAM(Info, logger, !RCLCPP_DETAIL_FIRST, stream)
#define RCLCPP_INFO_STREAM_THROTTLE(logger, clock, duration, stream) \
  RCLCPP_DETAIL_LOG_STREAM(Info, logger, RCLCPP_DETAIL_THROTTLE(clock, duration), stream)
#define RCLCPP_INFO_STREAM_SKIPFIRST_THROTTLE(logger, clock, duration, stream) \
  RCLCPP_DETAIL_LOG_STREAM(Info, logger, RCLCPP_DETAIL_THROTTLE(clock, duration) && !RCLCPP_DETAIL_FIRST, stream)

// WARN
#define RCLCPP_WARN(logger, ...) RCLCPP_DETAIL_LOG(Warn, logger, true, __VA_ARGS__)
#define RCLCPP_WARN_ONCE(logger, ...) RCLCPP_DETAIL_LOG(Warn, logger, RCLCPP_DETAIL_FIRST, __VA_ARGS__)
#define RCLCPP_WARN_EXPRESSION(logger, expression, ...) RCLCPP_DETAIL_LOG(Warn, logger, expression, __VA_ARGS__)
#define RCLCPP_WARN_FUNCTION(logger, function, ...) RCLCPP_DETAIL_LOG(Warn, logger, (*(function))(), __VA_ARGS__)
#define RCLCPP_WARN_SKIPFIRST(logger, ...) RCLCPP_DETAIL_LOG(Warn, logger, !RCLCPP_DETAIL_FIRST, __VA_ARGS__)
#define RCLCPP_WARN_THROTTLE(logger, clock, duration, ...) \
  RCLCPP_DETAIL_LOG(Warn, logger, RCLCPP_DETAIL_THROTTLE(clock, duration), __VA_ARGS__)
#define RCLCPP_WARN_SKIPFIRST_THROTTLE(logger, clock, duration, ...) \
  RCLCPP_DETAIL_LOG(Warn, logger, RCLCPP_DETAIL_THROTTLE(clock, duration) && !RCLCPP_DETAIL_FIRST, __VA_ARGS__)
#define RCLCPP_WARN_STREAM(logger, stream) RCLCPP_DETAIL_LOG_STREAM(Warn, logger, true, stream)
#define RCLCPP_WARN_STREAM_ONCE(logger, stream) RCLCPP_DETAIL_LOG_STREAM(Warn, logger, RCLCPP_DETAIL_FIRST, stream)
#define RCLCPP_WARN_STREAM_EXPRESSION(logger, expression, stream) \
  RCLCPP_DETAIL_LOG_STREAM(Warn, logger, expression, stream)
#define RCLCPP_WARN_STREAM_FUNCTION(logger, function, stream) \
  RCLCPP_DETAIL_LOG_STREAM(Warn, logger, (*(function))(), stream)
#define RCLCPP_WARN_STREAM_SKIPFIRST(logger, stream) \
  RCLCPP_DETAIL_LOG_STREAM(Warn, logger, !RCLCPP_DETAIL_FIRST, stream)
#define RCLCPP_WARN_STREAM_THROTTLE(logger, clock, duration, stream) \
  RCLCPP_DETAIL_LOG_STREAM(Warn, logger, RCLCPP_DETAIL_THROTTLE(clock, duration), stream)
#define RCLCPP_WARN_STREAM_SKIPFIRST_THROTTLE(logger, clock, duration, stream) \
  RCLCPP_DETAIL_LOG_STREAM(Warn, logger, RCLCPP_DETAIL_THROTTLE(clock, duration) && !RCLCPP_DETAIL_FIRST, stream)

// ERROR
#define RCLCPP_ERROR(logger, ...) RCLCPP_DETAIL_LOG(Error, logger, true, __VA_ARGS__)
#define RCLCPP_ERROR_ONCE(logger, ...) RCLCPP_DETAIL_LOG(Error, logger, RCLCPP_DETAIL_FIRST, __VA_ARGS__)
#define RCLCPP_ERROR_EXPRESSION(logger, expression, ...) RCLCPP_DETAIL_LOG(Error, logger, expression, __VA_ARGS__)
#define RCLCPP_ERROR_FUNCTION(logger, function, ...) RCLCPP_DETAIL_LOG(Error, logger, (*(function))(), __VA_ARGS__)
#define RCLCPP_ERROR_SKIPFIRST(logger, ...) RCLCPP_DETAIL_LOG(Error, logger, !RCLCPP_DETAIL_FIRST, __VA_ARGS__)
#define RCLCPP_ERROR_THROTTLE(logger, clock, duration, ...) \
  RCLCPP_DETAIL_LOG(Error, logger, RCLCPP_DETAIL_THROTTLE(clock, duration), __VA_ARGS__)
#define RCLCPP_ERROR_SKIPFIRST_THROTTLE(logger, clock, duration, ...) \
  RCLCPP_DETAIL_LOG(Error, logger, RCLCPP_DETAIL_THROTTLE(clock, duration) && !RCLCPP_DETAIL_FIRST, __VA_ARGS__)
#define RCLCPP_ERROR_STREAM(logger, stream) RCLCPP_DETAIL_LOG_STREAM(Error, logger, true, stream)
#define RCLCPP_ERROR_STREAM_ONCE(logger, stream) RCLCPP_DETAIL_LOG_STREAM(Error, logger, RCLCPP_DETAIL_FIRST, stream)
#define RCLCPP_ERROR_STREAM_EXPRESSION(logger, expression, stream) \
  RCLCPP_DETAIL_LOG_STREAM(Error, logger, expression, stream)
#define RCLCPP_ERROR_STREAM_FUNCTION(logger, function, stream) \
  RCLCPP_DETAIL_LOG_STREAM(Error, logger, (*(function))(), stream)
#define RCLCPP_ERROR_STREAM_SKIPFIRST(logger, stream) \
  RCLCPP_DETAIL_LOG_STREAM(Error, logger, !RCLCPP_DETAIL_FIRST, stream)
#define RCLCPP_ERROR_STREAM_THROTTLE(logger, clock, duration, stream) \
  RCLCPP_DETAIL_LOG_STREAM(Error, logger, RCLCPP_DETAIL_THROTTLE(clock, duration), stream)
#define RCLCPP_ERROR_STREAM_SKIPFIRST_THROTTLE(logger, clock, duration, stream) \
  RCLCPP_DETAIL_LOG_STREAM(Error, logger, RCLCPP_DETAIL_THROTTLE(clock, duration) && !RCLCPP_DETAIL_FIRST, stream)

// FATAL
#define RCLCPP_FATAL(logger, ...) RCLCPP_DETAIL_LOG(Fatal, logger, true, __VA_ARGS__)
#define RCLCPP_FATAL_ONCE(logger, ...) RCLCPP_DETAIL_LOG(Fatal, logger, RCLCPP_DETAIL_FIRST, __VA_ARGS__)
#define RCLCPP_FATAL_EXPRESSION(logger, expression, ...) RCLCPP_DETAIL_LOG(Fatal, logger, expression, __VA_ARGS__)
#define RCLCPP_FATAL_FUNCTION(logger, function, ...) RCLCPP_DETAIL_LOG(Fatal, logger, (*(function))(), __VA_ARGS__)
#define RCLCPP_FATAL_SKIPFIRST(logger, ...) RCLCPP_DETAIL_LOG(Fatal, logger, !RCLCPP_DETAIL_FIRST, __VA_ARGS__)
#define RCLCPP_FATAL_THROTTLE(logger, clock, duration, ...) \
  RCLCPP_DETAIL_LOG(Fatal, logger, RCLCPP_DETAIL_THROTTLE(clock, duration), __VA_ARGS__)
#define RCLCPP_FATAL_SKIPFIRST_THROTTLE(logger, clock, duration, ...) \
  RCLCPP_DETAIL_LOG(Fatal, logger, RCLCPP_DETAIL_THROTTLE(clock, duration) && !RCLCPP_DETAIL_FIRST, __VA_ARGS__)
#define RCLCPP_FATAL_STREAM(logger, stream) RCLCPP_DETAIL_LOG_STREAM(Fatal, logger, true, stream)
#define RCLCPP_FATAL_STREAM_ONCE(logger, stream) RCLCPP_DETAIL_LOG_STREAM(Fatal, logger, RCLCPP_DETAIL_FIRST, stream)
#define RCLCPP_FATAL_STREAM_EXPRESSION(logger, expression, stream) \
  RCLCPP_DETAIL_LOG_STREAM(Fatal, logger, expression, stream)
#define RCLCPP_FATAL_STREAM_FUNCTION(logger, function, stream) \
  RCLCPP_DETAIL_LOG_STREAM(Fatal, logger, (*(function))(), stream)
#define RCLCPP_FATAL_STREAM_SKIPFIRST(logger, stream) \
  RCLCPP_DETAIL_LOG_STREAM(Fatal, logger, !RCLCPP_DETAIL_FIRST, stream)
#define RCLCPP_FATAL_STREAM_THROTTLE(logger, clock, duration, stream) \
  RCLCPP_DETAIL_LOG_STREAM(Fatal, logger, RCLCPP_DETAIL_THROTTLE(clock, duration), stream)
#define RCLCPP_FATAL_STREAM_SKIPFIRST_THROTTLE(logger, clock, duration, stream) \
  RCLCPP_DETAIL_LOG_STREAM(Fatal, logger, RCLCPP_DETAIL_THROTTLE(clock, duration) && !RCLCPP_DETAIL_FIRST, stream)

#endif  // RCLCPP__LOGGING_HPP_
