// Waiting: a bell that subscriptions ring, and a wait-set that sleeps on it.
//
// Roles: any thread rings, one thread at a time waits. What must hold, and what it rests on:
//   B1  Whoever sleeps is woken by every later ring: sleep() counts itself among the sleepers, then compares the count;
//       ring() counts, then looks for sleepers. All four are seq_cst, so one of the two sees the other; what is left is
//       between the comparison and the sleep, and there the kernel compares once more.
//   B2  What was stored before ring() is seen by who has seen its count: fetch_add (release) pairs with count() (acquire).
//   W1  wait() reads the count, then looks for data, then sleeps for as long as the count is what it was. With B2 data
//       that it has missed has not rung yet, and that ring ends the sleep by B1.
//   W2  A subscription rings the waiter that it has after its data is there, attach() gives it one before wait()
//       looks: a seq_cst fence in between on both sides, so one of the two sees the other.
//   L1  Waiters that subscriptions ring are never freed, only used again by another wait-set. So ring() counts no references,
//       and one that comes late costs the next owner one look.
#pragma once

#include <atomic>
#include <cstdint>
#include <functional>
#include <memory>
#include <mutex>
#include <vector>

#include "tandem/transport.hpp"

namespace tandem::transport {

/// What a wait-set sleeps on. Thread-safe.
class Waiter {
 public:
  virtual ~Waiter() = default;
  /// Async-signal-safe.
  virtual void ring() noexcept = 0;
  /// How often it was rung.
  virtual std::uint32_t count() const noexcept = 0;
  /// Until count() differs from `seen`, or the timeout (negative: without end). May end early.
  virtual void sleep(std::uint32_t seen, std::chrono::nanoseconds timeout) noexcept = 0;
};

/// A waiter that somebody has for a while.
using WaiterLease = std::unique_ptr<Waiter, std::function<void(Waiter *)>>;

/// A futex word that counts rings: a system call only when somebody sleeps. As Waiter. All zero when it is made.
class RingCounter {
 public:
  enum class Scope : std::uint8_t { kProcess, kShared };  ///< the memory that it lies in

  void ring(Scope scope) noexcept;
  std::uint32_t count() const noexcept { return count_.load(std::memory_order_acquire); }
  void sleep(std::uint32_t seen, std::chrono::nanoseconds timeout, Scope scope) noexcept;

 private:
  std::atomic<std::uint32_t> count_{0};
  std::atomic<std::uint32_t> sleepers_{0};
};

class Bell final : public Waiter {
 public:
  void ring() noexcept override { counter_.ring(RingCounter::Scope::kProcess); }
  std::uint32_t count() const noexcept override { return counter_.count(); }
  void sleep(std::uint32_t seen, std::chrono::nanoseconds timeout) noexcept override {
    counter_.sleep(seen, timeout, RingCounter::Scope::kProcess);
  }

 private:
  RingCounter counter_;
};

/// A bell of the process's stock.
WaiterLease lease_bell();

/// A subscription that a BellWaitSet can wait for. The implementation calls ring() after has_data() has become true,
/// from any thread.
class RingingSubscription : public Subscription {
 public:
  using Subscription::Subscription;
  /// Moves it to another wait-set's waiter, or to none (null).
  void set_waiter(Waiter * waiter) noexcept;
  /// Takes this waiter away; another one stays.
  void drop_waiter(Waiter * waiter) noexcept;
  bool rings(const Waiter * waiter) const noexcept { return waiter_.load(std::memory_order_relaxed) == waiter; }

 protected:
  /// Without a waiter: a fence and a load. Async-signal-safe.
  void ring() const noexcept;
  /// Which waiter it has now.
  virtual void waiter_changed(Waiter *) noexcept {}

 private:
  std::mutex changing_;  ///< held from a change of waiter_ until waiter_changed() has returned
  std::atomic<Waiter *> waiter_{nullptr};
};

class BellWaitSet final : public WaitSet {
 public:
  explicit BellWaitSet(WaiterLease waiter = lease_bell());
  ~BellWaitSet() override;
  void attach(const std::shared_ptr<Subscription> & subscription) override;
  void detach(const std::shared_ptr<Subscription> & subscription) override;
  bool wait(std::chrono::nanoseconds timeout) override;
  void wake() override;

 private:
  bool has_data();

  const WaiterLease waiter_;
  std::atomic<bool> woken_{false};
  std::mutex mutex_;
  std::vector<std::weak_ptr<RingingSubscription>> attached_;  ///< guarded by mutex_
};

}  // namespace tandem::transport
