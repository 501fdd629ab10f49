// Where the core's rare messages go: warnings about peers that do not match, are broken or died badly.
#pragma once

#include <functional>
#include <string>

namespace tandem {

enum class LogLevel { kDebug, kInfo, kWarning, kError };

using LogSink = std::function<void(LogLevel, const std::string &)>;

/// Replaces the sink; the default writes warnings and errors as one line to stderr. Thread-safe. An empty function
/// restores the default. The sink is called from any thread, never from publish, take or borrow in steady state.
void set_log_sink(LogSink sink);

void log(LogLevel level, const std::string & message);

}  // namespace tandem
