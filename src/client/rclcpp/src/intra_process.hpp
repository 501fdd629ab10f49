// Who asked for intra-process delivery. Within one process messages take the same way as all others, without a copy; this only
// answers what rclcpp's users ask about it.
#pragma once

#include <algorithm>
#include <cstddef>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

#include "rclcpp/qos.hpp"

namespace rclcpp::detail {

/// The subscriptions of a context that asked for it. Thread-safe.
class IntraProcess {
 public:
  struct Subscription {
    std::string topic;
    QoS qos;
  };

  /// Counted for as long as the pointer that is returned lives.
  std::shared_ptr<const Subscription> add(const std::string & topic, const QoS & qos) {
    auto subscription = std::make_shared<const Subscription>(Subscription{topic, qos});
    const std::lock_guard<std::mutex> lock(mutex_);
    const auto is_gone = [](const auto & weak) { return weak.expired(); };
    subscriptions_.erase(std::remove_if(subscriptions_.begin(), subscriptions_.end(), is_gone), subscriptions_.end());
    subscriptions_.push_back(subscription);
    return subscription;
  }

  /// Those of the topic that a publisher of this QoS can reach.
  std::size_t count(const std::string & topic, const QoS & qos) const {
    const auto is_reached = [&](const auto & weak) {
      const auto subscription = weak.lock();
      return subscription && subscription->topic == topic &&
             qos_check_compatible(qos, subscription->qos).compatibility != QoSCompatibility::Error;
    };
    const std::lock_guard<std::mutex> lock(mutex_);
    return static_cast<std::size_t>(std::count_if(subscriptions_.begin(), subscriptions_.end(), is_reached));
  }

 private:
  mutable std::mutex mutex_;
  std::vector<std::weak_ptr<const Subscription>> subscriptions_;
};

}  // namespace rclcpp::detail
