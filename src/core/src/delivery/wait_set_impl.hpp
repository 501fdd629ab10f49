// A wait-set: one bell of this process, the hints beside it, and one bit of its region's masks.
//
// What it costs to wait does not depend on what is idle. A publisher leaves a hint which lane has news (ReaderSet::notify);
// only these lanes are looked at, and those that have data are listed by their subscriptions, which stand in ready_.
//
// Invariant  A message whose publish() has returned is never forgotten: its lane's hint is set, or its lane is listed by a
//            subscription that stands in ready_, or "every lane" is hinted.
// Orders     W0-W3 (reader_set.hpp, sleep())  a message or who sleeps: one of the two is seen
//            N1 look at a hint behind W0, or set it    pairs with N2: hints are cleared, fence, then the slots are looked at.
//                                                      Who finds its hint still set has stored its slot before that look.
// A hint may be missing after all: its publisher was killed before it left it, or somebody has damaged the bells. So housekeeping
// looks at all lanes once a second as well.
#pragma once

#include <array>
#include <atomic>
#include <chrono>
#include <memory>
#include <optional>
#include <unordered_map>
#include <vector>

#include "delivery/subscription_impl.hpp"
#include "system/spin_policy.hpp"

namespace tandem {

class Domain;
class Process;

class WaitSetImpl {
 public:
  WaitSetImpl(Process & process, std::uint32_t bell);

  void attach(const std::shared_ptr<SubscriptionImpl> & subscription, std::uint64_t key);
  void detach(const std::shared_ptr<SubscriptionImpl> & subscription);
  bool wait(std::chrono::nanoseconds timeout);
  std::optional<std::uint64_t> next_ready();
  void wake();
  /// Looks at all lanes, and rings when there is a message. Thread-safe; housekeeping calls it at each tick.
  void look();
  std::uint32_t bell() const { return bell_; }
  /// Lets go of all subscriptions.
  void close();
  std::shared_ptr<Domain> domain;  ///< the handle of the wait-set that the user has; null once closed

 private:
  using Clock = std::chrono::steady_clock;
  struct Member {
    std::weak_ptr<SubscriptionImpl> subscription;
    std::uint64_t key;
    bool is_ready = false;   ///< stands in ready_
    std::uint64_t seen = 0;  ///< the collection that saw data; 0 once next_ready() has named it
  };

  BellPage::Bell & place() const;
  bool has_hints() const;
  bool is_ready();
  bool wait_longer(Clock::time_point end);
  bool spin(Clock::time_point end);
  bool sleep(Clock::time_point end);
  std::int64_t stamp();
  std::shared_ptr<SubscriptionImpl> first_ready(std::uint64_t since) TANDEM_REQUIRES(mutex_);
  void drop_first() TANDEM_REQUIRES(mutex_);
  void collect() TANDEM_REQUIRES(mutex_);
  void look_at(std::uint32_t member, const SubscriptionImpl::Hints & hints) TANDEM_REQUIRES(mutex_);
  void look_at_all() TANDEM_REQUIRES(mutex_);
  void enlist(std::uint32_t member) TANDEM_REQUIRES(mutex_);

  Process & process_;
  const std::uint32_t bell_;
  std::atomic<std::int64_t> woken_ = 0;  ///< when wake() was called first, ns of CLOCK_REALTIME; 0: it was not
  SpinPolicy policy_;                    // of the waiting thread
  Mutex mutex_;                          // taken before a subscription's
  std::vector<Member> members_ TANDEM_GUARDED_BY(mutex_);
  /// Of members.
  std::unordered_map<const SubscriptionImpl *, std::uint32_t> numbers_ TANDEM_GUARDED_BY(mutex_);
  /// Members that have a lane of that hint.
  std::array<std::vector<std::uint32_t>, kHints> by_hint_ TANDEM_GUARDED_BY(mutex_);
  std::vector<std::uint32_t> ready_ TANDEM_GUARDED_BY(mutex_);  ///< members, next in turn first
  std::uint64_t collections_ TANDEM_GUARDED_BY(mutex_) = 0;
};

}  // namespace tandem
