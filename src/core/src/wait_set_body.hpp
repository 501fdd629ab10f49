// A wait-set: one bell of this process, one bit of its region's sleeping mask.
#pragma once

#include <atomic>
#include <chrono>
#include <memory>
#include <mutex>
#include <vector>

#include "spin_policy.hpp"
#include "subscription_body.hpp"

namespace tandem {

class Domain;
class Process;

class WaitSetBody {
 public:
  WaitSetBody(Process & process, std::uint32_t bell);

  void attach(const std::shared_ptr<SubscriptionBody> & subscription);
  void detach(const std::shared_ptr<SubscriptionBody> & subscription);
  bool wait(std::chrono::nanoseconds timeout);
  void wake();
  std::uint32_t bell() const { return bell_; }
  /// Lets go of all subscriptions.
  void close();
  std::shared_ptr<Domain> domain;  ///< the handle of the wait-set that the user has; null once closed

 private:
  using Clock = std::chrono::steady_clock;
  bool is_ready();
  bool wait_longer(Clock::time_point end);
  bool spin(Clock::time_point end);
  bool sleep(Clock::time_point end);
  std::int64_t stamp() const;

  Process & process_;
  const std::uint32_t bell_;
  std::atomic<std::int64_t> woken_ = 0;  ///< when wake() was called first, ns of CLOCK_REALTIME; 0: it was not
  mutable std::mutex mutex_;
  std::vector<std::weak_ptr<SubscriptionBody>> subscriptions_;  // guarded by mutex_
  SpinPolicy policy_;                                           // of the waiting thread
};

}  // namespace tandem
