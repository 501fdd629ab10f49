// Lines that come up while locks are held. A sink may itself use the library, so it is called once they are free.
#pragma once

#include <atomic>
#include <chrono>
#include <cstdint>
#include <string>

#include "tandem/log.hpp"

namespace tandem {

/// Keeps a line for the next flush_log(). Thread-safe.
void log_later(LogLevel level, std::string message);

/// Hands the lines that were kept to the sink. Call it with no lock held.
void flush_log();

/// Lets a line through that may come up again and again: once in ten seconds. Thread-safe.
class RateLimiter {
 public:
  bool is_due() {
    const std::int64_t now = std::chrono::steady_clock::now().time_since_epoch() / std::chrono::milliseconds(1);
    std::int64_t next = next_.load(std::memory_order_relaxed);
    return now >= next && next_.compare_exchange_strong(next, now + 10'000);
  }

 private:
  std::atomic<std::int64_t> next_ = 0;
};

/// Around fork(2): the child must find the locks of the log free.
void lock_log();
void unlock_log();

}  // namespace tandem
