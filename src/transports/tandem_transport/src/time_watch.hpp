// Deadlines and leases: computed from the times of messages, where somebody looks. No thread waits for them.
#pragma once

#include <atomic>
#include <cstdint>

#include "tandem/transport.hpp"

namespace tandem::transport {

/// Of one endpoint. Times are ns of CLOCK_REALTIME, as messages have them. Thread-safe, without a lock; each word stands
/// for itself, so all accesses are relaxed.
class TimeWatch {
 public:
  /// `lease` is that of a publisher with manual liveliness, else kInfinite. Either may be infinite.
  TimeWatch(std::chrono::nanoseconds deadline, std::chrono::nanoseconds lease, std::int64_t now);

  /// A message was published or taken that is of this time. The deadline begins anew.
  void note_message(std::int64_t time);
  /// The publisher lives.
  void note_alive(std::int64_t time);
  /// Adds what has been missed. `is_waiting`: there is a message to take, whose time will tell whether it is late.
  void look(std::int64_t now, bool is_waiting, Status & status);

 private:
  const std::int64_t deadline_;
  const std::int64_t lease_;
  std::atomic<std::int64_t> period_begin_{0};  ///< of the present deadline; 0: before the first message
  std::atomic<std::int64_t> alive_;            ///< when it was last; negative once the lease was over
  std::atomic<std::uint64_t> missed_{0};
  std::atomic<std::uint64_t> lost_{0};
};

}  // namespace tandem::transport
