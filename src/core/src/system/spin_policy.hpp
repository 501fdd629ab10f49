// Whether a wait spins before it sleeps: what a spin would have served lately decides.
//
// A wait is judged by how long after its start the message was published. That is known after a sleep too, and does not
// contain what our own wake-up costs, so the verdict does not depend on the decision that it leads to.
//
// A stamp is another process's word. It is believed only where nothing else is known, after a sleep; a spin that ended
// without a message was in vain whatever the stamp says. So a peer that lies makes us spin in vain once for each
// penalty, and penalties double.
#pragma once

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <optional>

namespace tandem {

/// Of one waiting thread.
class SpinPolicy {
 public:
  using Nanoseconds = std::chrono::nanoseconds;

  static constexpr Nanoseconds kLeastLimit = std::chrono::microseconds(75);  ///< flows of 20,000 a second never sleep
  static constexpr Nanoseconds kGreatestLimit = std::chrono::microseconds(250);  ///< however much a wake-up costs

  /// `fixed`: the longest spin, 0 for none. Without: twice what a wake-up costs here, within the bounds above. Twice,
  /// since the other side may have to be woken before it can answer.
  explicit SpinPolicy(std::optional<Nanoseconds> fixed)
      : is_fixed_(fixed.has_value()), limit_(fixed.value_or(kLeastLimit)) {}

  bool is_off() const { return limit_.count() == 0; }
  Nanoseconds limit() const { return limit_; }
  bool should_spin() const { return credit_ >= 0 && !is_off(); }

  /// A spin has ended: with a message, or after the whole limit without.
  void spun(bool served) {
    note(served);
    futile_ = served ? 0 : std::min(futile_ + 1, kMostPenalties);
    if (futile_ > 1) {
      // Twice in a row: who publishes may be waiting for this very processor. Tried again ever more seldom.
      credit_ = -(kGreatestCredit << (2 * futile_ - 3));  // 16, 64 … 4096 waits
    }
  }

  /// A sleep without a spin has ended: the message was published so long after the start, and the wait returned so long
  /// after that. `waking` is clamped here.
  void slept(Nanoseconds until_published, Nanoseconds waking) {
    note(until_published <= limit_);
    if (!is_fixed_) {
      const Nanoseconds cost = std::clamp(waking, Nanoseconds(0), kGreatestLimit / 2);
      waking_ += (cost - waking_) / 8;
      limit_ = std::clamp(2 * waking_, kLeastLimit, kGreatestLimit);
    }
  }

  /// The wait ended without a message, without a spin.
  void timed_out(Nanoseconds waited) {
    if (waited > limit_) {
      note(false);  // else nobody knows
    }
  }

 private:
  static constexpr int kGreatestCredit = 8;
  static constexpr int kMostPenalties = 6;

  void note(bool served) {
    if (served) {
      credit_ = std::min(credit_ + 1, kGreatestCredit);
    } else if (credit_ > -kGreatestCredit) {
      credit_ = std::max(credit_ - 2, -kGreatestCredit);
    }
  }

  const bool is_fixed_;
  Nanoseconds limit_;
  Nanoseconds waking_{0};  ///< what a wake-up costs, smoothed
  int credit_ = -1;        ///< spins while it is not negative
  int futile_ = 0;         ///< spins in vain, one after another
};

}  // namespace tandem
