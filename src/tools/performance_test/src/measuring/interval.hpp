// What was counted and measured in about a second, and where threads put it.
#pragma once

#include <sys/resource.h>

#include <array>
#include <cstdint>
#include <memory>
#include <mutex>
#include <span>
#include <vector>

#include "measuring/measure.hpp"

namespace performance_test {

/// Plain data: publishing processes send it to their parent. Latencies and loop times in seconds.
struct Totals {
  std::uint64_t sent = 0;
  std::uint64_t received = 0;
  std::uint64_t lost = 0;            ///< gaps in the sequence of a publisher
  std::uint64_t bytes_received = 0;  ///< messages times sizeof(message)
  std::uint64_t failed_borrows = 0;
  std::uint64_t failed_publishes = 0;
  std::uint64_t torn = 0;         ///< payloads that are not what the publisher wrote
  std::uint64_t unfilled = 0;     ///< payloads that the publisher did not fill, so that nothing could be checked
  std::uint64_t allocations = 0;  ///< of publishing and receiving threads, when these are counted
  Statistics latency;
  Statistics publisher_reserve;   ///< time left before the next deadline; negative: late
  Statistics subscriber_reserve;  ///< idle time before each message

  void merge(const Totals & other) noexcept;
};

struct Interval {
  Totals totals;
  Histogram latency;           ///< ns from send stamp to receive stamp
  Histogram intended_latency;  ///< ns from the time at which the message was due

  void merge(const Interval & other) noexcept;
  void reset() noexcept;
};

/// What a process has cost so far.
struct Usage {
  rusage self{};
  double wall = 0;  ///< s
  /// utime + stime in seconds.
  double cpu_seconds() const noexcept;
};

/// What a message carries beside its payload: `time` and `id`.
struct Stamp {
  std::int64_t time;  ///< of sending, now_ns()
  std::uint64_t id;   ///< make_id() of a count from 1
};

using PublisherId = std::array<std::uint8_t, 16>;

/// A message as a subscription got it.
struct Arrival {
  std::int64_t received;  ///< now_ns() at the beginning of the callback
  Stamp stamp;
  PublisherId publisher;
  std::span<const std::byte> payload;
  std::size_t size;  ///< bytes of the message with all that it holds
};

/// Where one thread puts what it measures. take() is called by another one.
class Collector {
 public:
  explicit Collector(bool check_payload) : check_payload_(check_payload) {}

  /// \param reserve s until the next one is due; nothing when there is no rate.
  void sent(std::optional<double> reserve);
  void not_sent(bool failed_borrow);
  void received(const Arrival & arrival);
  /// Hands what was collected since the last call to `out`, which is merged into.
  void take(Interval & out);

 private:
  /// Messages missing between the last one of the same publisher and this one.
  std::uint64_t gap_before(const Arrival & arrival);

  struct Seen {
    PublisherId publisher;
    std::uint64_t sequence;
  };
  const bool check_payload_;
  std::mutex mutex_;
  std::unique_ptr<Interval> current_ = std::make_unique<Interval>();
  std::unique_ptr<Interval> spare_ = std::make_unique<Interval>();  // take() only
  std::vector<Seen> seen_;                                          // received() only
  std::int64_t idle_since_ = 0;                                     // received() only
};

}  // namespace performance_test
