// What the processes of a stress test tell each other, in a file that all of them map: counters, and whether to stop. Nothing
// in it orders anything (all relaxed): it must not hide what the core gets wrong.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <string>

namespace tandem::test {

constexpr std::size_t kWorkers = 16;

/// One writer's or reader's counts. They go on when it is killed and another one goes on for it.
struct alignas(64) WorkerCounters {
  std::atomic<std::uint64_t> sent;
  std::atomic<std::uint64_t> taken;
  std::atomic<std::uint64_t> reused;      ///< blocks written again after somebody had read them
  std::atomic<std::uint64_t> torn;        ///< messages that were not whole, or not what they had been
  std::atomic<std::uint64_t> disordered;  ///< messages that came after a later one of the same publisher
  std::atomic<std::uint64_t> missed;      ///< messages that a reader was owed and did not get
  std::atomic<std::uint64_t> refused;     ///< borrows and publishes that failed
  std::atomic<std::uint64_t> opened;      ///< endpoints
};

class SharedCounters {
 public:
  static constexpr std::uint64_t kMarks = 1 << 14;

  std::atomic<bool> stop;
  WorkerCounters workers[kWorkers];

  /// Names a publisher: which worker it is, whatever else, and whether it keeps all.
  static std::uint64_t make_tag(std::uint64_t worker, std::uint64_t what, bool keeps_all) {
    return (keeps_all ? std::uint64_t{1} << 63 : 0) | what >> 5 << 4 | worker;
  }
  static bool keeps_all(std::uint64_t tag) { return tag >> 63 != 0; }

  /// Message `counter` of that publisher has been read by somebody.
  void mark_read(std::uint64_t tag, std::uint64_t counter) {
    mark(tag, counter).store(key(tag, counter), std::memory_order_relaxed);
  }
  /// Whether that message has been read. A mark may be lost, so counts by it are never too high.
  bool was_read(std::uint64_t tag, std::uint64_t counter) {
    return mark(tag, counter).load(std::memory_order_relaxed) == key(tag, counter);
  }
  std::uint64_t sum(std::atomic<std::uint64_t> WorkerCounters::*count) const;
  /// Messages with which something was wrong.
  std::uint64_t faults() const {
    return sum(&WorkerCounters::torn) + sum(&WorkerCounters::disordered) + sum(&WorkerCounters::missed) +
           sum(&WorkerCounters::refused);
  }
  std::string text() const;

 private:
  static std::uint64_t key(std::uint64_t tag, std::uint64_t counter) {
    return (tag ^ counter * 0x9e3779b97f4a7c15) | 1;
  }
  std::atomic<std::uint64_t> & mark(std::uint64_t tag, std::uint64_t counter) {
    return marks_[tag % kWorkers][counter % kMarks];
  }
  std::atomic<std::uint64_t> marks_[kWorkers][kMarks];
};

/// Maps the counters in file `path`, which is made if need be; all zero at first. Ends the process when that is impossible.
SharedCounters & map_counters(const std::string & path);

/// Adds to a count that has one writer.
inline void add(std::atomic<std::uint64_t> & count, std::uint64_t more = 1) {
  count.store(count.load(std::memory_order_relaxed) + more, std::memory_order_relaxed);
}

}  // namespace tandem::test
