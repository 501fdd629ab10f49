// One message without an executor.
#include "rclcpp/wait_for_message.hpp"

#include <future>

#include "support.hpp"

using namespace std::chrono_literals;
using test::Block;

namespace {

class WaitForMessage : public test::WithNode {
 protected:
  const rclcpp::QoS qos_ = rclcpp::QoS(1).transient_local();
  Block out_;
};

TEST_F(WaitForMessage, GetsOneOfATopic) {
  const auto publisher = node_->create_publisher<Block>("topic", qos_);
  Block block;
  block.index = 7;
  publisher->publish(block);
  EXPECT_TRUE(rclcpp::wait_for_message(out_, node_, "topic", 60s, qos_));
  EXPECT_EQ(out_.index, 7);
}

TEST_F(WaitForMessage, GetsOneOfASubscription) {
  int calls = 0;
  const auto subscription = node_->create_subscription<Block>("topic", qos_, [&](const Block &) { ++calls; });
  auto late = std::async(std::launch::async, [this] {
    Block block;
    block.index = 7;
    const auto publisher = node_->create_publisher<Block>("topic", qos_);
    publisher->publish(block);
    return publisher;
  });
  EXPECT_TRUE(rclcpp::wait_for_message(out_, subscription, node_->get_node_options().context()));
  EXPECT_EQ(out_.index, 7);
  EXPECT_EQ(calls, 0) << "the callback is the executor's to call";
}

TEST_F(WaitForMessage, GivesUpWhenTheTimeIsOver) {
  EXPECT_FALSE(rclcpp::wait_for_message(out_, node_, "silent", 10ms));
  EXPECT_FALSE(rclcpp::wait_for_message(out_, node_, "silent", 0s, rclcpp::SensorDataQoS()));
}

TEST_F(WaitForMessage, EndsWithTheContext) {
  const auto ending = std::async(std::launch::async, [this] {
    EXPECT_TRUE(test::eventually([this] { return node_->count_subscribers("silent") == 1; }));
    rclcpp::shutdown();
  });
  EXPECT_FALSE(rclcpp::wait_for_message(out_, node_, "silent"));
}

}  // namespace
