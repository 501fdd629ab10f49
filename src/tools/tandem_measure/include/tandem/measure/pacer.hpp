// Open-loop pacing: when messages are due does not depend on when the ones before them were sent.
#pragma once

#include <cstdint>

namespace tandem::measure {

/// Not thread-safe. Allocates / locks / system calls: none.
class Pacer {
 public:
  /// \param rate messages a second; due() needs one that is more than 0.
  explicit Pacer(double rate) noexcept : rate_(rate) {}

  /// \param now_ns when message 0 is due.
  void start(std::int64_t now_ns) noexcept { start_ = now_ns; }
  /// When message `number`, counted from 0, is due. Exact to 1 ns for 100 days: no rounding adds up.
  std::int64_t due(std::uint64_t number) const noexcept {
    return start_ + static_cast<std::int64_t>(static_cast<double>(number) * 1e9 / rate_);
  }

 private:
  double rate_;
  std::int64_t start_ = 0;
};

}  // namespace tandem::measure
