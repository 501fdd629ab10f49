// The requests of a client that wait for their response.
#ifndef RCLCPP__DETAIL__PENDING_REQUESTS_HPP_
#define RCLCPP__DETAIL__PENDING_REQUESTS_HPP_

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <map>
#include <mutex>
#include <optional>
#include <utility>
#include <vector>

namespace rclcpp::detail {

/// By number. An Ending says what is to be done with the response; it is destroyed without the lock. Thread-safe.
template <class Ending>
class PendingRequests {
 public:
  using Time = std::chrono::time_point<std::chrono::system_clock>;

  /// Notes the request that `send` sends. \return its number, which `send` returns. \throws what it throws.
  template <class Send>
  int64_t add(Send && send, Ending && ending) {
    const std::lock_guard<std::mutex> lock(mutex_);  // until it is noted: the response may be there already
    const int64_t id = send();
    pending_.try_emplace(id, Pending{std::chrono::system_clock::now(), std::move(ending)});
    return id;
  }

  /// The ending of a request, which is forgotten; nothing when it was not pending.
  std::optional<Ending> take(int64_t id) {
    std::unique_lock<std::mutex> lock(mutex_);
    auto node = pending_.extract(id);
    lock.unlock();
    if (node.empty()) return std::nullopt;
    return std::move(node.mapped().ending);
  }

  /// Forgets all. \return how many there were.
  size_t prune() {
    std::map<int64_t, Pending> forgotten;
    const std::lock_guard<std::mutex> lock(mutex_);
    forgotten.swap(pending_);
    return forgotten.size();
  }

  /// Forgets those that were sent before; their numbers are added to `pruned_requests`, unless it is null.
  template <class AllocatorT>
  size_t prune_older_than(Time time_point, std::vector<int64_t, AllocatorT> * pruned_requests) {
    std::map<int64_t, Pending> forgotten;
    const std::lock_guard<std::mutex> lock(mutex_);
    for (auto it = pending_.begin(); it != pending_.end();) {
      const auto pending = it++;
      if (pending->second.sent >= time_point) continue;
      if (pruned_requests != nullptr) pruned_requests->push_back(pending->first);
      forgotten.insert(pending_.extract(pending));
    }
    return forgotten.size();
  }

 private:
  struct Pending {
    Time sent;
    Ending ending;
  };

  std::mutex mutex_;
  std::map<int64_t, Pending> pending_;  ///< guarded by mutex_
};

}  // namespace rclcpp::detail

#endif  // RCLCPP__DETAIL__PENDING_REQUESTS_HPP_
