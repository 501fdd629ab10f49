// How old a subscription's messages are and how far apart, published once a period.
#pragma once

#include <chrono>
#include <cstdint>
#include <limits>
#include <memory>
#include <mutex>
#include <string>

#include "rclcpp/callback_group.hpp"
#include "rclcpp/node_interfaces/node_topics_interface.hpp"
#include "rclcpp/publisher.hpp"
#include "rclcpp/timer.hpp"
#include "statistics_msgs/msg/metrics_message.hpp"

namespace rclcpp::detail {

/// Mean and deviation of a row of values by Welford's recurrence, which keeps no values.
class RunningStatistics {
 public:
  void add(double value);
  /// The five data points; without values they are not a number, and the count is 0.
  void write(statistics_msgs::msg::MetricsMessage & message) const;

 private:
  std::uint64_t count_ = 0;
  double mean_ = 0;
  double minimum_ = std::numeric_limits<double>::infinity();
  double maximum_ = -std::numeric_limits<double>::infinity();
  double squares_ = 0;  // of the deviations from the mean, added up
};

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
  std::int64_t last_received_ = 0;  // 0: none yet
  RunningStatistics ages_;          // ms
  RunningStatistics periods_;       // ms
};

/// With its publisher, and a timer in the subscription's group. \throws std::invalid_argument for a period that is not positive.
std::shared_ptr<TopicStatistics> make_topic_statistics(node_interfaces::NodeTopicsInterface & topics,
                                                       const SubscriptionOptionsBase & options);

}  // namespace rclcpp::detail
