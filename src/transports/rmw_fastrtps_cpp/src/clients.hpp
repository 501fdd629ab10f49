// The clients that a service's writer of replies reaches.
#pragma once

#include <algorithm>
#include <chrono>
#include <condition_variable>
#include <map>
#include <mutex>
#include <set>

#include "tandem/transport.hpp"

namespace rmw_fastrtps {

/// Thread-safe.
class Clients {
 public:
  using Gid = tandem::transport::Gid;

  /// `patience`: what a reply waits for its client at most, and no more than kDiscovery.
  explicit Clients(std::chrono::nanoseconds patience)
      : patience_(std::min<std::chrono::nanoseconds>(patience, kDiscovery)) {}

  /// A reader has matched, or does so no more.
  void came(const Gid & reader) {
    const std::lock_guard lock(mutex_);
    present_.insert(reader);
    changed_.notify_all();
  }
  void left(const Gid & reader) {
    const std::lock_guard lock(mutex_);
    present_.erase(reader);
    know_locked(reader, Clock::now());
  }

  /// A request may be here before its client's reader of replies is known. Each client is waited for once, since the caller
  /// serves the others too; one that has left is not.
  void wait_for(const Gid & client) {
    constexpr std::uint8_t kIsReader = 4;  // nodes before Foxy name their writer, which is never matched
    if ((client.back() & kIsReader) == 0) {
      return;
    }
    std::unique_lock lock(mutex_);
    if (present_.count(client) == 0) {
      const auto end = know_locked(client, Clock::now() + patience_);
      changed_.wait_until(lock, end, [&] { return present_.count(client) != 0; });
    }
  }

 private:
  using Clock = std::chrono::steady_clock;
  static constexpr std::chrono::milliseconds kDiscovery{100};
  static constexpr std::size_t kMost = 1000;

  Clock::time_point know_locked(const Gid & client, Clock::time_point end) {
    if (until_.size() >= kMost) {
      until_.clear();
    }
    auto & until = until_.try_emplace(client, end).first->second;
    return until = std::min(until, end);
  }

  const std::chrono::nanoseconds patience_;
  std::mutex mutex_;
  std::condition_variable changed_;
  std::set<Gid> present_;                   ///< guarded by mutex_
  std::map<Gid, Clock::time_point> until_;  ///< when nobody waits for it any more; guarded by mutex_
};

}  // namespace rmw_fastrtps
