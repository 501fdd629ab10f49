// Topic statistics: what is measured, when and where it is published.
#include "support.hpp"

#include <cmath>
#include <map>
#include <mutex>
#include <stdexcept>

#include "libstatistics_collector/moving_average_statistics/moving_average.hpp"
#include "statistics_msgs/msg/metrics_message.hpp"
#include "statistics_msgs/msg/statistic_data_type.hpp"

using namespace std::chrono_literals;
using rclcpp::TopicStatisticsState;
using statistics_msgs::msg::MetricsMessage;
using test::Block;
using test::eventually;
using Type = statistics_msgs::msg::StatisticDataType;
using TopicStatistics = test::WithNode;

namespace {

rclcpp::SubscriptionOptions measured(const std::string & topic = "/statistics") {
  rclcpp::SubscriptionOptions options;
  options.topic_stats_options.state = TopicStatisticsState::Enable;
  options.topic_stats_options.publish_topic = topic;
  options.topic_stats_options.publish_period = 20ms;
  return options;
}

std::map<int, double> values(const MetricsMessage & message) {
  std::map<int, double> result;
  for (const auto & point : message.statistics) result[point.data_type] = point.data;
  return result;
}

const auto kIgnore = [](std::shared_ptr<const Block>) {};

}  // namespace

TEST(MovingAverageStatistics, MeasureUntilTheyAreReset) {
  using namespace libstatistics_collector::moving_average_statistics;
  MovingAverageStatistics statistics;
  EXPECT_TRUE(std::isnan(statistics.Average()) && std::isnan(statistics.Min()) && std::isnan(statistics.Max()));
  EXPECT_TRUE(std::isnan(statistics.StandardDeviation()));
  for (const double item : {-4.0, -2.0, std::nan(""), -3.0}) statistics.AddMeasurement(item);
  EXPECT_EQ(statistics.GetCount(), 3u);
  EXPECT_DOUBLE_EQ(statistics.Average(), -3.0);
  EXPECT_DOUBLE_EQ(statistics.Min(), -4.0);
  EXPECT_DOUBLE_EQ(statistics.Max(), -2.0);
  EXPECT_DOUBLE_EQ(statistics.StandardDeviation(), std::sqrt(2.0 / 3.0));
  statistics.Reset();
  EXPECT_EQ(statistics.GetStatistics().sample_count, 0u);
  statistics.AddMeasurement(1.0);
  EXPECT_EQ(StatisticsDataToString(statistics.GetStatistics()),
            "avg=1.000000, min=1.000000, max=1.000000, std_dev=0.000000, count=1");
}

TEST_F(TopicStatistics, MeasureAgeAndPeriod) {
  const auto publisher = node_->create_publisher<Block>("topic", 10);
  const auto subscription = node_->create_subscription<Block>("topic", 10, kIgnore, measured());
  std::map<std::string, std::vector<MetricsMessage>> received;
  const auto statistics = node_->create_subscription<MetricsMessage>(
      "/statistics", 100, [&](const MetricsMessage & message) { received[message.metrics_source].push_back(message); });
  ASSERT_TRUE(matched(publisher));
  double messages = 0;
  double ages = 0;
  double periods = 0;
  const auto count = [&](const std::string & source) {
    double sum = 0;
    for (const auto & message : received[source]) sum += values(message)[Type::STATISTICS_DATA_TYPE_SAMPLE_COUNT];
    return sum;
  };
  ASSERT_TRUE(eventually([&] { return statistics->get_publisher_count() == 1; }));
  for (int i = 0; i < 5; ++i) publisher->publish(Block());
  ASSERT_TRUE(spin_until([&] {
    ages = count("message_age");
    periods = count("message_period");
    return ages >= 5 && periods >= 4;
  }));
  messages = ages;
  EXPECT_EQ(messages, 5);
  EXPECT_EQ(periods, 4);
  for (const auto & [source, all] : received) {
    for (const auto & message : all) {
      EXPECT_EQ(message.measurement_source_name, "node");
      EXPECT_EQ(message.unit, "ms");
      ASSERT_EQ(message.statistics.size(), 5u);
      EXPECT_LT(rclcpp::Time(message.window_start), rclcpp::Time(message.window_stop));
      auto value = values(message);
      if (value[Type::STATISTICS_DATA_TYPE_SAMPLE_COUNT] == 0) {
        EXPECT_TRUE(std::isnan(value[Type::STATISTICS_DATA_TYPE_AVERAGE])) << source;
        continue;
      }
      EXPECT_GE(value[Type::STATISTICS_DATA_TYPE_MINIMUM], 0);
      EXPECT_LE(value[Type::STATISTICS_DATA_TYPE_MINIMUM], value[Type::STATISTICS_DATA_TYPE_AVERAGE]);
      EXPECT_LE(value[Type::STATISTICS_DATA_TYPE_AVERAGE], value[Type::STATISTICS_DATA_TYPE_MAXIMUM]);
      EXPECT_GE(value[Type::STATISTICS_DATA_TYPE_STDDEV], 0);
    }
  }
}

TEST_F(TopicStatistics, FollowTheNodesDefault) {
  EXPECT_EQ(rclcpp::SubscriptionOptions().topic_stats_options.qos, rclcpp::SystemDefaultsQoS().keep_last(10));
  const auto has_publisher = [](rclcpp::Node & node) { return node.count_publishers("/statistics") > 0; };
  const auto subscription = node_->create_subscription<Block>("topic", 10, kIgnore);
  EXPECT_FALSE(has_publisher(*node_));
  const auto node = std::make_shared<rclcpp::Node>("measured", rclcpp::NodeOptions().enable_topic_statistics(true));
  auto options = measured();
  options.topic_stats_options.state = TopicStatisticsState::Disable;
  const auto without = node->create_subscription<Block>("topic", 10, kIgnore, options);
  EXPECT_FALSE(has_publisher(*node));
  options.topic_stats_options.state = TopicStatisticsState::NodeDefault;
  auto with = node->create_subscription<Block>("topic", 10, kIgnore, options);
  EXPECT_TRUE(eventually([&] { return has_publisher(*node); }));
  with.reset();
  EXPECT_TRUE(eventually([&] { return !has_publisher(*node); }));
}

TEST_F(TopicStatistics, HaveATopicOfTheirOwnAndAPeriod) {
  const auto subscription = node_->create_subscription<Block>("topic", 10, kIgnore, measured("own"));
  EXPECT_TRUE(eventually([&] { return node_->count_publishers("/ns/own") == 1; }));
  auto options = measured();
  options.topic_stats_options.publish_period = 0ms;
  EXPECT_THROW(node_->create_subscription<Block>("topic", 10, kIgnore, options), std::invalid_argument);
}
