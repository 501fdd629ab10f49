#include "tandem/log.hpp"

#include <algorithm>
#include <cstdio>
#include <mutex>
#include <utility>
#include <vector>

#include "system/log_later.hpp"

namespace tandem {
namespace {

struct Sink {
  std::mutex mutex;
  LogSink function;
  std::vector<std::pair<LogLevel, std::string>> kept;
  std::vector<std::shared_ptr<Notifier>> changed;
};

Sink & sink() {
  static auto * sink = new Sink;  // outlives static destruction
  return *sink;
}

}  // namespace

void set_log_sink(LogSink function) {
  const std::lock_guard lock(sink().mutex);
  sink().function = std::move(function);
}

void log(LogLevel level, const std::string & text) {
  // Names in it may be another process's: a line stays one line.
  std::string message = text;
  std::replace_if(
      message.begin(), message.end(), [](unsigned char c) { return c < 0x20 || c == 0x7f; }, '?');
  LogSink function;
  {
    const std::lock_guard lock(sink().mutex);
    function = sink().function;
  }
  if (function) {
    function(level, message);
  } else if (level >= LogLevel::kWarning) {
    std::fprintf(stderr, "tandem: %s\n", message.c_str());
  }
}

void log_later(LogLevel level, std::string message) {
  const std::lock_guard lock(sink().mutex);
  sink().kept.emplace_back(level, std::move(message));
}

void notify_later(std::shared_ptr<Notifier> notifier) {
  const std::lock_guard lock(sink().mutex);
  sink().changed.push_back(std::move(notifier));
}

void flush_later() {
  std::vector<std::pair<LogLevel, std::string>> lines;
  std::vector<std::shared_ptr<Notifier>> changed;
  {
    const std::lock_guard lock(sink().mutex);
    lines.swap(sink().kept);
    changed.swap(sink().changed);
  }
  for (const auto & notifier : changed) {
    notifier->notify();
  }
  for (const auto & [level, message] : lines) {
    log(level, message);
  }
}

void lock_log() { sink().mutex.lock(); }
void unlock_log() { sink().mutex.unlock(); }
void forget_log() { sink().changed.clear(); }

}  // namespace tandem
