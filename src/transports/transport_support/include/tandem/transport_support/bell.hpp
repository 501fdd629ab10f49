// Waiting without descriptors: a bell that subscriptions ring and a wait-set that sleeps on it, for middlewares that
// call back from threads of their own.
//
// Roles: any thread rings, one thread at a time waits. What must hold, and what it rests on:
//   B1  Whoever sleeps is woken by every later ring: sleep() counts itself among the sleepers, then compares the count;
//       ring() counts, then looks for sleepers. All four are seq_cst, so one of the two sees the other; what is left is
//       between the comparison and the sleep, and there the kernel compares once more.
//   B2  What was stored before ring() is seen by who has seen its count: fetch_add (release) pairs with count() (acquire).
//   W1  wait() reads the count, then looks for data, then sleeps for as long as the count is what it was. With B2 data
//       that it has missed has not rung yet, and that ring ends the sleep by B1.
//   W2  A subscription rings the bell that it has after its data is there, attach() gives it the bell before wait()
//       looks: a seq_cst fence in between on both sides, so one of the two sees the other.
//   L1  Bells are never freed, only used again by another wait-set. So ring() counts no references, and one that comes
//       late costs the next owner one look.
#pragma once

#include <atomic>
#include <cstdint>
#include <memory>
#include <mutex>
#include <vector>

#include "tandem/transport.hpp"

namespace tandem::transport {

/// A futex word that counts rings. Thread-safe.
class Bell {
 public:
  /// A system call only when somebody sleeps. Async-signal-safe.
  void ring() noexcept;
  std::uint32_t count() const noexcept { return count_.load(std::memory_order_acquire); }
  /// Until count() differs from `seen`, or the timeout (negative: without end). May end early.
  void sleep(std::uint32_t seen, std::chrono::nanoseconds timeout) noexcept;

 private:
  std::atomic<std::uint32_t> count_{0};
  std::atomic<std::uint32_t> sleepers_{0};
};

/// A subscription that a BellWaitSet can wait for. The implementation calls ring() after has_data() has become true,
/// from any thread.
class RingingSubscription : public Subscription {
 public:
  /// Moves it to another wait-set's bell, or to none (null).
  void set_bell(Bell * bell) noexcept;
  /// Takes this bell away; another one stays.
  void drop_bell(Bell * bell) noexcept;
  bool rings(const Bell * bell) const noexcept { return bell_.load(std::memory_order_relaxed) == bell; }

 protected:
  /// Without a bell: a fence and a load. Async-signal-safe.
  void ring() const noexcept;

 private:
  std::atomic<Bell *> bell_{nullptr};
};

class BellWaitSet final : public WaitSet {
 public:
  BellWaitSet();
  ~BellWaitSet() override;
  void attach(const std::shared_ptr<Subscription> & subscription) override;
  void detach(const std::shared_ptr<Subscription> & subscription) override;
  bool wait(std::chrono::nanoseconds timeout) override;
  void wake() override;

 private:
  bool has_data();

  Bell * const bell_;  ///< of the process's stock
  std::atomic<bool> woken_{false};
  std::mutex mutex_;
  std::vector<std::weak_ptr<RingingSubscription>> attached_;  ///< guarded by mutex_
};

}  // namespace tandem::transport
