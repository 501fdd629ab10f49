// Measuring at each message, publishing by a timer.
#include "topics/topic_statistics.hpp"

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

/// Moves what was measured into the message, as its five data points.
void move_into(statistics_msgs::msg::MetricsMessage & message, MovingAverageStatistics & measured) {
  using Type = statistics_msgs::msg::StatisticDataType;
  const auto add = [&](std::uint8_t type, double data) {
    message.statistics.emplace_back();
    message.statistics.back().data_type = type;
    message.statistics.back().data = data;
  };
  const auto data = measured.GetStatistics();
  measured.Reset();
  add(Type::STATISTICS_DATA_TYPE_AVERAGE, data.average);
  add(Type::STATISTICS_DATA_TYPE_MAXIMUM, data.max);
  add(Type::STATISTICS_DATA_TYPE_MINIMUM, data.min);
  add(Type::STATISTICS_DATA_TYPE_SAMPLE_COUNT, static_cast<double>(data.sample_count));
  add(Type::STATISTICS_DATA_TYPE_STDDEV, data.standard_deviation);
}

}  // namespace

TopicStatistics::TopicStatistics(std::string source, Publisher<Message>::SharedPtr publisher)
    : source_(std::move(source)), publisher_(std::move(publisher)), window_start_(now()) {}

void TopicStatistics::received(const tandem::transport::MessageInfo & info) {
  const std::int64_t time = now();
  const std::lock_guard<std::mutex> lock(mutex_);
  if (info.source_timestamp != 0) ages_.AddMeasurement(milliseconds(time - info.source_timestamp));
  if (last_received_ != 0) periods_.AddMeasurement(milliseconds(time - last_received_));
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
    move_into(*age, ages_);
    move_into(*period, periods_);
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
