// The requests that wait for their replies: whose each of them is.
#pragma once

#include <cstdint>
#include <map>
#include <mutex>
#include <optional>

#include "tandem/transport.hpp"

namespace tandem::gateway {

/// Of one service. Thread-safe.
class Calls {
 public:
  /// Calls `send` with a variable for the number under which the request goes on, and remembers who asked if the result
  /// is kOk. A reply that comes before this returns waits in take().
  template <class Send>
  transport::PublishResult add(const transport::RequestId & asker, const Send & send) {
    const std::lock_guard lock(mutex_);
    std::int64_t sequence = 0;
    const transport::PublishResult result = send(sequence);
    if (result == transport::PublishResult::kOk) {
      askers_[sequence] = asker;
    }
    return result;
  }
  /// Who asked; forgets it. Nothing when that was replied to already, or forgotten.
  std::optional<transport::RequestId> take(std::int64_t sequence) {
    const std::lock_guard lock(mutex_);
    const auto node = askers_.extract(sequence);
    return node ? std::optional(node.mapped()) : std::nullopt;
  }
  /// Forgets the oldest beyond a bound: a server need not reply. \return how many.
  std::size_t trim() {
    const std::lock_guard lock(mutex_);
    std::size_t forgotten = 0;
    for (; askers_.size() > kMaxCalls; ++forgotten) {
      askers_.erase(askers_.begin());
    }
    return forgotten;
  }
  void clear() {
    const std::lock_guard lock(mutex_);
    askers_.clear();
  }
  std::size_t size() const {
    const std::lock_guard lock(mutex_);
    return askers_.size();
  }

  static constexpr std::size_t kMaxCalls = 4096;

 private:
  mutable std::mutex mutex_;
  std::map<std::int64_t, transport::RequestId> askers_;  ///< by the number under which the request went on
};

}  // namespace tandem::gateway
