// Lines of the log as messages on /rosout.
#include "support.hpp"

#include <algorithm>
#include <cstdio>
#include <functional>

#include "rcl_interfaces/msg/log.hpp"

using rcl_interfaces::msg::Log;

namespace {

class Rosout : public test::Rclcpp {
 protected:
  void SetUp() override { start({}); }
  void TearDown() override {
    listener_.reset();
    Rclcpp::TearDown();
  }

  /// Begins anew, with these ROS arguments, and listens.
  void start(std::vector<const char *> arguments) {
    listener_.reset();
    if (rclcpp::ok()) rclcpp::shutdown();
    seen_.clear();
    arguments.insert(arguments.begin(), {"p", "--ros-args", "--disable-stdout-logs"});
    rclcpp::init(static_cast<int>(arguments.size()), arguments.data());
    listener_ = std::make_shared<rclcpp::Node>("listener", rclcpp::NodeOptions().enable_rosout(false));
    subscription_ = listener_->create_subscription<Log>("/rosout", rclcpp::RosoutQoS(),
                                                        [this](const Log & log) { seen_.push_back(log); });
  }
  /// Whether these messages, and no others, arrive, of whatever logger.
  std::vector<std::string> received(size_t count) {
    rclcpp::executors::SingleThreadedExecutor executor;
    executor.add_node(listener_);
    EXPECT_TRUE(test::spin_until(executor, [&] { return seen_.size() >= count; }));
    std::vector<std::string> messages;
    for (const auto & log : seen_) messages.push_back(log.name + ": " + log.msg);
    std::sort(messages.begin(), messages.end());  // of several publishers they come in any order
    return messages;
  }

  std::vector<Log> seen_;
  std::shared_ptr<rclcpp::Node> listener_;
  rclcpp::Subscription<Log>::SharedPtr subscription_;
};

using Messages = std::vector<std::string>;

}  // namespace

TEST_F(Rosout, HasEverythingThatIsKnownOfALine) {
  const rclcpp::Node node("node", "/ns");
  const auto before = node.now();
  RCLCPP_WARN(node.get_logger(), "number %d", 7);
  const int line = __LINE__ - 1;
  ASSERT_EQ(received(1), Messages{"ns.node: number 7"});
  const Log & log = seen_[0];
  EXPECT_EQ(log.level, Log::WARN);
  EXPECT_EQ(log.file, __FILE__);
  EXPECT_EQ(log.function, "TestBody");
  EXPECT_EQ(log.line, static_cast<unsigned>(line));
  EXPECT_GE(rclcpp::Time(log.stamp), before);
  EXPECT_LE(rclcpp::Time(log.stamp), node.now());
}

TEST_F(Rosout, TakesLoggersOfANodeAndTheirChildrenOnly) {
  const rclcpp::Node node("node");
  const rclcpp::Node inner("inner", "/node");
  const rclcpp::Node silent("silent", "/node", rclcpp::NodeOptions().enable_rosout(false));
  RCLCPP_INFO(rclcpp::get_logger("free"), "free");
  RCLCPP_INFO(silent.get_logger(), "silent");
  RCLCPP_INFO(silent.get_logger().get_child("child"), "silent");
  RCLCPP_DEBUG(node.get_logger(), "below the level");
  RCLCPP_INFO(node.get_logger().get_child("a").get_child("b"), "child");
  RCLCPP_INFO(inner.get_logger(), "inner");
  RCLCPP_INFO_STREAM(node.get_logger(), std::string(5000, 'x'));
  EXPECT_EQ(received(3), (Messages{"node.a.b: child", "node.inner: inner", "node: " + std::string(5000, 'x')}));
}

TEST_F(Rosout, TakesLoggersOfANameOnlyOnceTheyAreChildren) {
  const rclcpp::Node node("node");
  RCLCPP_INFO(rclcpp::get_logger("node.early"), "too early");
  const auto child = node.get_logger().get_child("early");
  RCLCPP_INFO(rclcpp::get_logger("node.early"), "by name");
  RCLCPP_INFO(node.get_logger().get_child("x.y"), "two at once");
  EXPECT_EQ(received(2), (Messages{"node.early: by name", "node.x.y: two at once"}));
}

TEST_F(Rosout, WaitsForThoseYetToCome) {
  const rclcpp::Node node("node");
  for (int i = 0; i < 3; ++i) RCLCPP_INFO(node.get_logger(), "%d", i);
  subscription_.reset();
  subscription_ = listener_->create_subscription<Log>("/rosout", rclcpp::RosoutQoS(),
                                                      [this](const Log & log) { seen_.push_back(log); });
  EXPECT_EQ(received(3), (Messages{"node: 0", "node: 1", "node: 2"}));
  const auto publishers = node.get_publishers_info_by_topic("/rosout");
  ASSERT_EQ(publishers.size(), 1u);
  EXPECT_EQ(publishers.front().qos_profile().lifespan(), rclcpp::Duration(10, 0));
}

TEST_F(Rosout, CanBeTurnedOff) {
  start({"--disable-rosout-logs"});
  const rclcpp::Node node("node");
  RCLCPP_INFO(node.get_logger(), "nobody hears this");
  EXPECT_EQ(listener_->count_publishers("/rosout"), 0u);
}

TEST_F(Rosout, NodesOfOneNameAndLateLinesDoNoHarm) {
  auto first = std::make_shared<rclcpp::Node>("same");
  const auto logger = first->get_logger();
  auto second = std::make_shared<rclcpp::Node>("same");
  RCLCPP_INFO(logger, "by the second");
  EXPECT_EQ(received(1), Messages{"same: by the second"});
  second.reset();
  RCLCPP_INFO(logger, "by the first");
  EXPECT_EQ(received(2), (Messages{"same: by the first", "same: by the second"}));
  first.reset();
  RCLCPP_INFO(logger, "by nobody");
  rclcpp::shutdown();
  RCLCPP_INFO(listener_->get_logger(), "after the end");
}

TEST_F(Rosout, TakesLinesOfManyThreads) {
  constexpr int kThreads = 4, kLines = 100;
  const rclcpp::Node node("node");
  std::vector<std::thread> threads;
  for (int t = 0; t < kThreads; ++t) {
    threads.emplace_back([&, t] {
      for (int i = 0; i < kLines; ++i) RCLCPP_INFO(node.get_logger(), "%03d", t * kLines + i);
    });
  }
  for (auto & thread : threads) thread.join();
  Messages expected;
  char text[32];
  for (int i = 0; i < kThreads * kLines; ++i) {
    std::snprintf(text, sizeof text, "node: %03d", i);
    expected.push_back(text);
  }
  EXPECT_EQ(received(expected.size()), expected);
}
