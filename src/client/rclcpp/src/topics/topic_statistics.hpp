// How old a subscription's messages are and how far apart, published once a period.
#pragma once

#include <chrono>
#include <cstdint>
#include <memory>
#include <mutex>
#include <string>

#include "libstatistics_collector/moving_average_statistics/moving_average.hpp"
#include "rclcpp/callback_group.hpp"
#include "rclcpp/node_interfaces/node_topics_interface.hpp"
#include "rclcpp/publisher.hpp"
#include "rclcpp/timer.hpp"
#include "statistics_msgs/msg/metrics_message.hpp"

namespace rclcpp::detail {

using libstatistics_collector::moving_average_statistics::MovingAverageStatistics;

/// Thread-safe.
class TopicStatistics {
 public:
  using Message = statistics_msgs::msg::MetricsMessage;

  /// \param source  the node's name
  TopicStatistics(std::string source, Publisher<Message>::SharedPtr publisher);

  /// A message is about to be handed to the callback.
  void received(const tandem::transport::MessageInfo & info);
  /// What has been measured since the last call.
  void publish();
  void set_timer(TimerBase::SharedPtr timer) { timer_ = std::move(timer); }

 private:
  const std::string source_;
  const Publisher<Message>::SharedPtr publisher_;
  TimerBase::SharedPtr timer_;
  std::mutex mutex_;  // guards what follows
  std::int64_t window_start_;
  std::int64_t last_received_ = 0;   // 0: none yet
  MovingAverageStatistics ages_;     // ms
  MovingAverageStatistics periods_;  // ms
};

/// With its publisher, and a timer in the subscription's group. \throws std::invalid_argument for a period that is not positive.
std::shared_ptr<TopicStatistics> make_topic_statistics(node_interfaces::NodeTopicsInterface & topics,
                                                       const SubscriptionOptionsBase & options);

}  // namespace rclcpp::detail
