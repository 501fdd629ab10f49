// When messages are due: a fixed schedule whatever happened before, bursts, or as soon as possible.
#pragma once

#include <cstdint>

#include "tandem/measure/pacer.hpp"
#include "trial/control.hpp"
#include "trial/spec.hpp"

namespace lab {

/// Sleeps until `due_ns` of CLOCK_MONOTONIC. \param spins: the last stretch without sleeping.
/// \return false when the process was told to stop meanwhile.
bool sleep_until(std::int64_t due_ns, bool spins, const Control & control);

/// Not thread-safe. Allocates / locks: none.
class Schedule {
 public:
  explicit Schedule(const Spec & spec) : spec_(spec), pacer_(spec.rate) {}

  /// Time 0 of the schedule.
  void start(std::int64_t now) noexcept {
    pacer_.start(now);
    burst_ = now;
  }
  /// When the next message is due; in the past when it is late, and where there is no schedule.
  std::int64_t next() const noexcept;
  /// The next message is sent now. \return when it was due; `now` where there is no schedule.
  std::int64_t take(std::int64_t now) noexcept;

 private:
  const Spec & spec_;
  tandem::measure::Pacer pacer_;  // unused without a rate
  std::int64_t burst_ = 0;        // when the present burst began
  std::uint64_t sent_ = 0;        // in all, or in the present burst
};

}  // namespace lab
