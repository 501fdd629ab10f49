// Keys with the times when something happened to them. Each is forgotten after a while, so that what others do without end
// does not fill the memory.
#pragma once

#include <chrono>
#include <map>
#include <optional>

namespace tandem::gateway {

/// Used by one thread.
template <class Key>
class Recent {
 public:
  using Clock = std::chrono::steady_clock;

  explicit Recent(Clock::duration lifetime) : lifetime_(lifetime) {}

  /// From now on `key` is known, for another lifetime.
  void note(const Key & key, Clock::time_point now = Clock::now()) {
    if (now - swept_ > lifetime_) {
      swept_ = now;
      std::erase_if(times_, [&](const auto & entry) { return now - entry.second > lifetime_; });
    }
    times_.insert_or_assign(key, now);
  }
  /// When it was noted last, unless that is longer ago than a lifetime.
  std::optional<Clock::time_point> when(const Key & key, Clock::time_point now = Clock::now()) const {
    const auto found = times_.find(key);
    return found != times_.end() && now - found->second <= lifetime_ ? std::optional(found->second) : std::nullopt;
  }
  bool contains(const Key & key) const { return when(key).has_value(); }
  void forget(const Key & key) { times_.erase(key); }
  std::size_t size() const { return times_.size(); }

 private:
  const Clock::duration lifetime_;
  Clock::time_point swept_ = Clock::now();
  std::map<Key, Clock::time_point> times_;
};

}  // namespace tandem::gateway
