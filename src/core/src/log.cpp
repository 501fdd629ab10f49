#include "tandem/log.hpp"

#include <cstdio>
#include <mutex>

namespace tandem {
namespace {

struct Sink {
  std::mutex mutex;
  LogSink function;
};

Sink & sink() {
  static auto * sink = new Sink;  // outlives static destruction
  return *sink;
}

}  // namespace

void set_log_sink(LogSink function) {
  std::scoped_lock lock(sink().mutex);
  sink().function = std::move(function);
}

void log(LogLevel level, const std::string & message) {
  LogSink function;
  {
    std::scoped_lock lock(sink().mutex);
    function = sink().function;
  }
  if (function) {
    function(level, message);
  } else if (level >= LogLevel::kWarning) {
    std::fprintf(stderr, "tandem: %s\n", message.c_str());
  }
}

}  // namespace tandem
