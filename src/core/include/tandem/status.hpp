// What has happened to a publisher or a subscription, counted.
#pragma once

#include <algorithm>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <limits>
#include <memory>
#include <mutex>
#include <utility>
#include <vector>

#include "tandem/qos_match.hpp"

namespace tandem {

/// Since the endpoint was made; what is not said to be of now never falls.
struct Status {
  std::uint64_t matched = 0;  ///< counterparts, now
  std::uint64_t total_matched = 0;
  std::uint64_t incompatible_qos = 0;        ///< counterparts that a policy has kept apart
  QosPolicy last_policy = QosPolicy::kNone;  ///< of the last of them
  std::uint64_t incompatible_type = 0;       ///< counterparts of another type
  std::uint64_t deadlines_missed = 0;
  std::uint64_t liveliness_lost = 0;  ///< of a publisher: times that its lease was over
  std::uint64_t alive = 0;            ///< of a subscription: matched publishers, now
  std::uint64_t not_alive = 0;  ///< likewise: those whose lease is over, or who were killed within one a moment ago
  std::uint64_t lost = 0;       ///< of a subscription: messages
  /// When time alone may change it, ns of CLOCK_MONOTONIC.
  std::int64_t due = std::numeric_limits<std::int64_t>::max();
};

/// Who wants to know of something. Thread-safe.
class Notifier {
 public:
  using Listener = std::function<void()>;

  /// Calls the listener. Call it with no lock held.
  void notify() {
    std::shared_ptr<const Listener> listener;
    {
      const std::lock_guard<std::mutex> lock(listener_mutex_);
      listener = listener_;
    }
    if (listener) {
      (*listener)();
    }
  }

  /// Null: nobody. One that is being called may be called once more.
  void set_listener(Listener listener) {
    auto shared = listener ? std::make_shared<const Listener>(std::move(listener)) : nullptr;
    const std::lock_guard<std::mutex> lock(listener_mutex_);
    listener_.swap(shared);
  }

 private:
  std::mutex listener_mutex_;
  std::shared_ptr<const Listener> listener_;
};

/// What is learnt of an endpoint's counterparts, and who wants to know. Thread-safe.
class StatusBoard : public Notifier {
 public:
  /// A counterpart, by an identity of two numbers. One that does not match has the policy that keeps it apart; kNone:
  /// its type differs.
  struct Counterpart {
    std::uint64_t owner = 0;
    std::uint64_t number = 0;
    QosPolicy policy = QosPolicy::kNone;
    bool operator==(const Counterpart & o) const {
      return owner == o.owner && number == o.number && policy == o.policy;
    }
  };
  using Counterparts = std::vector<Counterpart>;

  /// How long one that was killed is not alive, until it is forgotten: as with DDS, whose participants have a lease of 10 s.
  static constexpr std::chrono::seconds kAfterlife{10};

  /// All that there are now. `killed`: so many that have gone were killed within a lease, which is shorter than kAfterlife.
  /// \return whether the status has changed: notify() is due then.
  bool set(Counterparts matched, Counterparts misfits, std::size_t killed = 0) {
    const std::lock_guard<std::mutex> lock(mutex_);
    killed_.insert(killed_.end(), killed, Clock::now() + kAfterlife);
    const auto is_new = [](const Counterparts & former, const Counterpart & one) {
      return std::find(former.begin(), former.end(), one) == former.end();
    };
    bool has_changed = matched.size() != matched_.size() || killed != 0;
    status_.matched = matched.size();
    for (const Counterpart & one : matched) {
      const bool counts = is_new(matched_, one);
      status_.total_matched += counts ? 1 : 0;
      has_changed = has_changed || counts;
    }
    for (const Counterpart & one : misfits) {
      if (!is_new(misfits_, one)) {
        continue;
      }
      has_changed = true;
      if (one.policy == QosPolicy::kNone) {
        ++status_.incompatible_type;
      } else {
        ++status_.incompatible_qos;
        status_.last_policy = one.policy;
      }
    }
    matched_ = std::move(matched);
    misfits_ = std::move(misfits);
    return has_changed;
  }
  Status status() const {
    const std::lock_guard<std::mutex> lock(mutex_);
    Status status = status_;
    if (!killed_.empty()) {
      killed_.erase(killed_.begin(), std::upper_bound(killed_.begin(), killed_.end(), Clock::now()));
      status.not_alive = killed_.size();
    }
    if (!killed_.empty()) {
      status.due = std::chrono::nanoseconds(killed_.front().time_since_epoch()).count();
    }
    return status;
  }

 private:
  using Clock = std::chrono::steady_clock;

  mutable std::mutex mutex_;
  mutable std::vector<Clock::time_point> killed_;  ///< when each is forgotten, the next first
  Status status_;
  Counterparts matched_;
  Counterparts misfits_;
};

}  // namespace tandem
