// A wait-set: one bell of this process, one bit of its region's sleeping mask.
#pragma once

#include <atomic>
#include <chrono>
#include <memory>
#include <mutex>
#include <vector>

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
  bool spin();
  void note_arrival();

  Process & process_;
  const std::uint32_t bell_;
  const std::chrono::nanoseconds spin_limit_;
  std::atomic<bool> woken_ = false;
  std::mutex mutex_;
  std::vector<std::weak_ptr<SubscriptionBody>> subscriptions_;  // guarded by mutex_
  // Of the waiting thread.
  Clock::time_point last_arrival_{};
  std::chrono::nanoseconds gap_{std::chrono::seconds(1)};  ///< between arrivals, smoothed
};

}  // namespace tandem
