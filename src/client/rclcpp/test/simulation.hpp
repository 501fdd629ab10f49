// Simulated time for tests: of one clock, set at once, and on /clock.
#pragma once

#include <chrono>
#include <memory>

#include "rclcpp/time_source.hpp"
#include "support.hpp"

namespace test {

inline rclcpp::Time ros_time(std::chrono::nanoseconds time) { return rclcpp::Time(time.count(), RCL_ROS_TIME); }

/// Switches a clock to simulated time for as long as it lives.
class Simulated {
 public:
  explicit Simulated(rclcpp::Clock::SharedPtr clock) : clock_(std::move(clock)) {
    EXPECT_EQ(rcl_enable_ros_time_override(clock_->get_clock_handle()), RCL_RET_OK);
  }
  ~Simulated() { EXPECT_EQ(rcl_disable_ros_time_override(clock_->get_clock_handle()), RCL_RET_OK); }
  void set(std::chrono::nanoseconds time) const {
    EXPECT_EQ(rcl_set_ros_time_override(clock_->get_clock_handle(), time.count()), RCL_RET_OK);
  }

 private:
  const rclcpp::Clock::SharedPtr clock_;
};

/// A node that publishes on /clock.
class Simulator {
 public:
  Simulator() : publisher_(node_->create_publisher<rosgraph_msgs::msg::Clock>("/clock", 10)) {}
  void publish(std::chrono::nanoseconds time) {
    rosgraph_msgs::msg::Clock message;
    message.clock = rclcpp::Time(time.count());
    publisher_->publish(message);
  }
  /// The same until the clock shows it.
  void set(const rclcpp::Clock & clock, std::chrono::nanoseconds time) {
    ASSERT_TRUE(eventually([&] {
      publish(time);
      return clock.now().nanoseconds() == time.count();
    }));
  }
  size_t listeners() const { return publisher_->get_subscription_count(); }

 private:
  const rclcpp::Node::SharedPtr node_ = std::make_shared<rclcpp::Node>("simulator");
  const rclcpp::Publisher<rosgraph_msgs::msg::Clock>::SharedPtr publisher_;
};

}  // namespace test
