// What comes up while locks are held and is somebody else's: lines for the log's sink, and changed statuses. Whoever hears of
// them may itself use the library, so they are told once the locks are free.
#pragma once

#include <atomic>
#include <chrono>
#include <cstdint>
#include <memory>
#include <string>

#include "tandem/log.hpp"
#include "tandem/status.hpp"

namespace tandem {

/// Keeps a line for the next flush_later(). Thread-safe.
void log_later(LogLevel level, std::string message);
/// The same for who listens to a status or to the graph.
void notify_later(std::shared_ptr<Notifier> notifier);

/// Hands the lines that were kept to the sink, and notifies. Call it with no lock held.
void flush_later();

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
/// In the child: what was kept is the parent's to tell. Between the two.
void forget_log();

}  // namespace tandem
