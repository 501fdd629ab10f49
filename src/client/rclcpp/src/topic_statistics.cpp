// Measuring at each message, publishing by a timer.
#include "topic_statistics.hpp"

#include <algorithm>
#include <cmath>
#include <stdexcept>
#include <utility>

#include "rclcpp/publisher_options.hpp"
#include "statistics_msgs/msg/statistic_data_type.hpp"

namespace rclcpp::detail {
namespace {

std::int64_t now() {
  const auto since_epoch = std::chrono::system_clock::now().time_since_epoch();
  return std::chrono::duration_cast<std::chrono::nanoseconds>(since_epoch).count();
}

double milliseconds(std::int64_t nanoseconds) { return static_cast<double>(nanoseconds) / 1e6; }

}  // namespace

void RunningStatistics::add(double value) {
  ++count_;
  const double before = mean_;
  mean_ += (value - before) / static_cast<double>(count_);
  squares_ += (value - before) * (value - mean_);
  minimum_ = std::min(minimum_, value);
  maximum_ = std::max(maximum_, value);
}

void RunningStatistics::write(statistics_msgs::msg::MetricsMessage & message) const {
  using Type = statistics_msgs::msg::StatisticDataType;
  const auto add = [&](std::uint8_t type, double data) {
    message.statistics.emplace_back();
    message.statistics.back().data_type = type;
    message.statistics.back().data = data;
  };
  const auto if_any = [this](double data) { return count_ == 0 ? std::numeric_limits<double>::quiet_NaN() : data; };
  const auto count = static_cast<double>(count_);
  add(Type::STATISTICS_DATA_TYPE_AVERAGE, if_any(mean_));
  add(Type::STATISTICS_DATA_TYPE_MAXIMUM, if_any(maximum_));
  add(Type::STATISTICS_DATA_TYPE_MINIMUM, if_any(minimum_));
  add(Type::STATISTICS_DATA_TYPE_SAMPLE_COUNT, count);
  add(Type::STATISTICS_DATA_TYPE_STDDEV, if_any(std::sqrt(squares_ / count)));
}

TopicStatistics::TopicStatistics(std::string source, Publisher<Message>::SharedPtr publisher)
    : source_(std::move(source)), publisher_(std::move(publisher)), window_start_(now()) {}

void TopicStatistics::received(const tandem::transport::MessageInfo & info) {
  const std::int64_t time = now();
  const std::lock_guard<std::mutex> lock(mutex_);
  if (info.source_timestamp != 0) ages_.add(milliseconds(time - info.source_timestamp));
  if (last_received_ != 0) periods_.add(milliseconds(time - last_received_));
  last_received_ = time;
}

void TopicStatistics::publish() {
  const auto age = std::make_unique<Message>();
  const auto period = std::make_unique<Message>();
  age->metrics_source = "message_age";
  period->metrics_source = "message_period";
  {
    const std::lock_guard<std::mutex> lock(mutex_);
    const std::int64_t end = now();
    for (auto * message : {age.get(), period.get()}) {
      message->measurement_source_name = source_;
      message->unit = "ms";
      message->window_start = Time(window_start_, RCL_SYSTEM_TIME);
      message->window_stop = Time(end, RCL_SYSTEM_TIME);
    }
    std::exchange(ages_, {}).write(*age);
    std::exchange(periods_, {}).write(*period);
    window_start_ = end;
  }
  publisher_->publish(*age);
  publisher_->publish(*period);
}

std::shared_ptr<TopicStatistics> make_topic_statistics(node_interfaces::NodeTopicsInterface & topics,
                                                       const SubscriptionOptionsBase & options) {
  const auto & wanted = options.topic_stats_options;
  if (wanted.publish_period <= std::chrono::milliseconds::zero()) {
    throw std::invalid_argument("topic_stats_options.publish_period must be greater than 0, specified value of " +
                                std::to_string(wanted.publish_period.count()) + " ms");
  }
  auto publisher = std::make_shared<Publisher<TopicStatistics::Message>>(topics.open_publisher(
      tandem::message_type<TopicStatistics::Message>(), wanted.publish_topic, wanted.qos, PublisherOptions()));
  topics.add_publisher(publisher, nullptr);
  auto statistics =
      std::make_shared<TopicStatistics>(topics.get_node_base_interface()->get_name(), std::move(publisher));
  const auto publish = [weak = std::weak_ptr<TopicStatistics>(statistics)] {
    if (const auto alive = weak.lock()) alive->publish();
  };
  auto timer = std::make_shared<WallTimer<decltype(publish)>>(wanted.publish_period, decltype(publish)(publish));
  topics.get_node_timers_interface()->add_timer(timer, options.callback_group);
  statistics->set_timer(std::move(timer));
  return statistics;
}

}  // namespace rclcpp::detail
