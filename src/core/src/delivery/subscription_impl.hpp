// The lanes of a subscription, and whose turn it is.
#pragma once

#include <algorithm>
#include <array>
#include <atomic>
#include <memory>
#include <utility>
#include <vector>

#include "delivery/lane.hpp"
#include "layout/matcher.hpp"
#include "system/biased_lock.hpp"
#include "tandem/participant.hpp"

namespace tandem {

class Domain;
class Process;

class SubscriptionImpl {
 public:
  SubscriptionImpl(Process & process, const SubscriptionOptions & options, EndpointId id);

  Sample take();
  bool has_data() const;
  std::size_t matched_count() const;
  std::uint64_t lost() const { return lost_.load(std::memory_order_relaxed); }
  Status status() const;
  void set_status_listener(StatusBoard::Listener listener);
  const std::shared_ptr<StatusBoard> board = std::make_shared<StatusBoard>();
  std::uint64_t copied() const { return copied_.load(std::memory_order_relaxed); }
  const EndpointInfo & info() const { return info_; }
  bool ignores_own_process() const { return ignores_own_process_; }

  /// The wait-set's bell, or kNoWaitSet. Seen by publishers at once.
  void set_wait_set(std::uint32_t bell);
  std::uint32_t wait_set() const { return wait_set_.load(std::memory_order_relaxed); }

  // For the wait-set. It is told which lanes may have news, and lists those that have; take() serves these first.
  using Hints = std::array<std::uint64_t, kHintWords>;
  /// Looks at the lanes of these hints. True when one of them has data.
  bool look(const Hints & hints);
  /// Looks at all lanes. True when one has data.
  bool look_at_all();
  /// Whether a lane that is listed has data.
  bool has_news();
  /// When the message of such a lane was published, as its publisher says; 0 when there is none.
  std::int64_t next_stamp() const;
  /// Calls `visit(hint)` for each of its lanes.
  template <class Visit>
  void visit_hints(Visit visit) const {
    const BiasedLock::UnbiasedLock lock(mutex_);
    std::for_each(hints_.begin(), hints_.end(), visit);
  }

  // For housekeeping.
  Lane::Terms terms(std::uint64_t number, bool owed) const;
  void add_lane(std::shared_ptr<Lane> lane);
  /// What all lanes of this origin share, one after the other.
  std::shared_ptr<OriginProgress> progress_of(const OriginId & origin);
  std::vector<TopicSnapshot::Lane> lanes() const;
  /// Looks for acknowledgements, and for those that were revoked. True when a lane has come into use.
  bool look_for_acks();
  /// Closes and hands out the lanes for which `ended(lane)` is true.
  template <class Predicate>
  std::vector<std::shared_ptr<Lane>> remove_lanes(Predicate ended) {
    std::vector<std::shared_ptr<Lane>> removed;
    const BiasedLock::UnbiasedLock lock(mutex_);
    reserve_unlocked(mutex_, removed, lanes_.size());
    for (auto lane = lanes_.begin(); lane != lanes_.end();) {
      if (ended(**lane)) {
        killed_ += (*lane)->was_killed() ? 1 : 0;
        (*lane)->close();
        removed.push_back(std::move(*lane));
        lane = lanes_.erase(lane);
      } else {
        ++lane;
      }
    }
    if (!removed.empty()) {
      list_anew();
    }
    return removed;
  }

  /// How many removed lanes were those of publishers that were killed, since it was asked last.
  std::size_t take_killed() {
    const BiasedLock::UnbiasedLock lock(mutex_);
    return std::exchange(killed_, 0);
  }

  std::shared_ptr<Domain> domain;  ///< the handle of the subscription that the user has; null once closed

 private:
  static constexpr std::uint64_t kTakesInOrder = 64;
  static constexpr std::size_t kMaxOrigins = 256;  ///< that are remembered beyond their lanes
  /// `waiting`: the process of a publisher that is to be rung once the lock is given up.
  void take_next(Sample & sample, std::shared_ptr<Peer> & waiting) TANDEM_REQUIRES(mutex_);
  void take_from(Lane & lane, Sample & sample, std::shared_ptr<Peer> & waiting) TANDEM_REQUIRES(mutex_);
  void make_private(Lane & lane, Sample & sample) TANDEM_REQUIRES(mutex_);
  bool take_listed(Sample & sample, std::shared_ptr<Peer> & waiting) TANDEM_REQUIRES(mutex_);
  template <class Predicate>
  bool list_news(Predicate concerned) TANDEM_REQUIRES(mutex_);
  void list(std::size_t index) TANDEM_REQUIRES(mutex_);
  void drop_first() TANDEM_REQUIRES(mutex_);
  void list_anew() TANDEM_REQUIRES(mutex_);

  Process & process_;
  const EndpointInfo info_;
  const std::size_t min_size_;
  const std::size_t alignment_;
  const MessageFunctions functions_;
  const std::uint32_t held_quota_;
  const Addressing addressing_;
  const bool ignores_own_process_;
  std::atomic<std::uint32_t> wait_set_ = kNoWaitSet;
  std::atomic<std::uint64_t> lost_ = 0;
  std::atomic<std::uint64_t> copied_ = 0;
  std::vector<std::pair<OriginId, std::shared_ptr<OriginProgress>>> origins_;  ///< oldest first; of housekeeping alone
  std::atomic<bool> has_leases_ = false;  ///< some publisher has to assert that it lives

  mutable BiasedLock mutex_;
  std::vector<std::shared_ptr<Lane>> lanes_ TANDEM_GUARDED_BY(mutex_);
  std::vector<std::uint16_t> hints_ TANDEM_GUARDED_BY(mutex_);   ///< of each lane
  std::vector<std::uint32_t> listed_ TANDEM_GUARDED_BY(mutex_);  ///< lanes with data, as last seen, next in turn first
  std::size_t killed_ TANDEM_GUARDED_BY(mutex_) = 0;
  std::size_t turn_ TANDEM_GUARDED_BY(mutex_) = 0;
  std::uint64_t takes_ TANDEM_GUARDED_BY(mutex_) = 0;
};

}  // namespace tandem
