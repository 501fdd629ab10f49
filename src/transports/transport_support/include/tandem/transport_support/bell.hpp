// Waiting without descriptors: a bell that subscriptions ring and a wait-set that sleeps on it, for middlewares that
// call back from threads of their own.
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
  void set_bell(std::shared_ptr<Bell> bell);
  bool rings(const std::shared_ptr<Bell> & bell) const;

 protected:
  void ring() const noexcept;

 private:
  std::atomic<std::shared_ptr<Bell>> bell_;
};

class BellWaitSet final : public WaitSet {
 public:
  void attach(const std::shared_ptr<Subscription> & subscription) override;
  void detach(const std::shared_ptr<Subscription> & subscription) override;
  bool wait(std::chrono::nanoseconds timeout) override;
  void wake() override;

 private:
  bool has_data();

  const std::shared_ptr<Bell> bell_ = std::make_shared<Bell>();
  std::atomic<bool> woken_{false};
  std::mutex mutex_;
  std::vector<std::weak_ptr<RingingSubscription>> attached_;  ///< guarded by mutex_
};

}  // namespace tandem::transport
