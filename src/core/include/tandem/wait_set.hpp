// Sleeping until a subscription has data, without polling.
#pragma once

#include <chrono>
#include <cstdint>
#include <memory>
#include <optional>

#include "tandem/subscription.hpp"

namespace tandem {

class WaitSetImpl;

/// One thread waits at a time; all else may come from any thread.
class WaitSet {
 public:
  explicit WaitSet(std::shared_ptr<WaitSetImpl> impl);
  ~WaitSet();
  WaitSet(const WaitSet &) = delete;
  WaitSet & operator=(const WaitSet &) = delete;

  /// A subscription is in at most one wait-set: attaching it to another moves it. It may be destroyed while attached.
  /// `key` is what next_ready() calls it.
  void attach(const Subscription & subscription, std::uint64_t key = 0);
  void detach(const Subscription & subscription);

  /// Returns when an attached subscription has data, wake() was called since the last return, or the time is over.
  /// Spins for a moment when messages come faster than a sleep would take (TANDEM_SPIN_US, 0 turns it off), then
  /// sleeps; wakes at most once a second to look. A negative timeout waits without end.
  /// \return true for data or wake(), false when the time is over.
  bool wait(std::chrono::nanoseconds timeout);

  /// The key of an attached subscription that has data, each in turn; nothing when none has. What wait() has seen with
  /// data is not looked at again, so take() finds nothing there if it was called in between. Costs the same however many
  /// subscriptions have none. Any thread. Allocates: none; locks: yes; system calls: none.
  std::optional<std::uint64_t> next_ready();

  /// Makes the present or the next wait() return. Async-signal-safe. Any thread.
  void wake();

 private:
  std::shared_ptr<WaitSetImpl> impl_;
};

}  // namespace tandem
