// Timers while time is simulated.
#include <atomic>

#include "simulation.hpp"

using namespace std::chrono_literals;
using test::ros_time;
using test::Simulated;

namespace {

/// Timers of the node's clock, whose time the test sets.
class SimulatedTimers : public test::WithNode {
 protected:
  void SetUp() override {
    WithNode::SetUp();
    time_.emplace(node_->get_clock());
    time_->set(10s);
    other_clock_ = std::make_shared<rclcpp::Clock>(RCL_ROS_TIME);
  }
  void TearDown() override {
    time_.reset();
    WithNode::TearDown();
  }
  /// The calls of a timer that are due at a time.
  int calls_at(std::chrono::nanoseconds now) {
    calls_ = 0;
    time_->set(now);
    executor_->spin_all(0ns);
    return calls_;
  }

  std::optional<Simulated> time_;
  std::atomic<int> calls_{0};
  rclcpp::Clock::SharedPtr other_clock_;
};

}  // namespace

TEST_F(SimulatedTimers, FireAsTimePasses) {
  const auto timer = node_->create_timer(1s, [this] { ++calls_; });
  EXPECT_EQ(timer->time_until_trigger(), 1s);
  EXPECT_EQ(calls_at(10999ms), 0);
  EXPECT_EQ(timer->time_until_trigger(), 1ms);
  EXPECT_EQ(calls_at(11s), 1);
  EXPECT_EQ(calls_at(11s), 0);
  EXPECT_EQ(calls_at(12001ms), 1);
  EXPECT_EQ(timer->time_until_trigger(), 999ms);
  EXPECT_EQ(calls_at(13s), 1);
  timer->cancel();
  EXPECT_EQ(calls_at(14s), 0);
  timer->reset();
  EXPECT_EQ(calls_at(14999ms), 0);
  EXPECT_EQ(calls_at(15s), 1);
}

TEST_F(SimulatedTimers, FireOnceForALongJump) {
  const auto timer = node_->create_timer(10ms, [this] { ++calls_; });
  EXPECT_EQ(calls_at(20s), 1);
  EXPECT_EQ(timer->time_until_trigger(), 10ms);
  EXPECT_EQ(calls_at(20015ms), 1);
  EXPECT_EQ(timer->time_until_trigger(), 5ms);
}

TEST_F(SimulatedTimers, BeginAPeriodWhenTimeJumpsBackBeyondTheLastCall) {
  const auto timer = node_->create_timer(1s, [this] { ++calls_; });
  EXPECT_EQ(calls_at(11s), 1);
  EXPECT_EQ(calls_at(11800ms), 0);
  EXPECT_EQ(calls_at(11300ms), 0);  // within the period: nothing changes
  EXPECT_EQ(timer->time_until_trigger(), 700ms);
  EXPECT_EQ(calls_at(3s), 0);
  EXPECT_EQ(timer->time_until_trigger(), 1s);
  EXPECT_EQ(calls_at(4s), 1);
  EXPECT_EQ(calls_at(0s), 0);
  EXPECT_EQ(timer->time_until_trigger(), 1s);
  EXPECT_EQ(calls_at(1s), 1);
}

TEST_F(SimulatedTimers, TellWhenTheyWereDue) {
  std::vector<rclcpp::TimerInfo> infos;
  const auto timer = node_->create_timer(1s, [&](const rclcpp::TimerInfo & info) { infos.push_back(info); });
  calls_at(11500ms);
  ASSERT_EQ(infos.size(), 1u);
  EXPECT_EQ(infos[0].expected_call_time, ros_time(11s));
  EXPECT_EQ(infos[0].actual_call_time, ros_time(11500ms));
}

TEST_F(SimulatedTimers, KeepTheRestOfTheirPeriodWhenTimeIsSwitched) {
  const auto timer = node_->create_timer(1h, [this] { ++calls_; });
  EXPECT_EQ(calls_at(10s + 20min), 0);
  time_.reset();
  EXPECT_GT(timer->time_until_trigger(), 20min);
  EXPECT_LE(timer->time_until_trigger(), 40min);
  time_.emplace(node_->get_clock());  // shows 10 s + 20 min again
  EXPECT_GT(timer->time_until_trigger(), 20min);
  EXPECT_LE(timer->time_until_trigger(), 40min);
  EXPECT_EQ(calls_at(10s + 1h), 1);
}

TEST_F(SimulatedTimers, WaitAPeriodFromTheFirstMessage) {
  time_->set(0s);
  time_.reset();
  const auto timer = node_->create_timer(1s, [this] { ++calls_; });
  time_.emplace(node_->get_clock());
  EXPECT_EQ(calls_at(500s), 0);
  EXPECT_EQ(calls_at(501s), 1);
}

TEST_F(SimulatedTimers, RunInSystemTimeWhenItIsSwitchedOff) {
  const auto timer = node_->create_timer(1ms, [this] { ++calls_; });
  std::thread spinning([this] { executor_->spin(); });
  EXPECT_TRUE(test::eventually([&] { return executor_->is_spinning(); }));
  time_.reset();
  EXPECT_TRUE(test::eventually([&] { return calls_ >= 3; }));
  executor_->cancel();
  spinning.join();
}

TEST_F(SimulatedTimers, WakeAnExecutorThatSleeps) {
  std::atomic<int> wall_calls{0};
  const auto timer = node_->create_timer(100ms, [this] { ++calls_; });
  const auto wall_timer = node_->create_wall_timer(1ms, [&] { ++wall_calls; });
  std::thread spinning([this] { executor_->spin(); });
  EXPECT_TRUE(test::eventually([&] { return wall_calls >= 3; }));
  wall_timer->cancel();
  for (int i = 1; i <= 100; ++i) {  // 10 s, in as long as it takes
    time_->set(10s + i * 100ms);
    EXPECT_TRUE(test::eventually([&] { return calls_ == i; }));
  }
  EXPECT_TRUE(test::eventually([&] { return executor_->is_spinning(); }));
  executor_->cancel();
  spinning.join();
}

TEST_F(SimulatedTimers, WakeAllThreadsThatSpin) {
  rclcpp::executors::MultiThreadedExecutor executor(rclcpp::ExecutorOptions(), 3);
  const auto group = node_->create_callback_group(rclcpp::CallbackGroupType::Reentrant, false);
  std::vector<rclcpp::TimerBase::SharedPtr> timers;
  for (int i = 0; i < 10; ++i)
    timers.push_back(node_->create_timer(
        100ms, [this] { ++calls_; }, group));
  executor.add_callback_group(group, node_->get_node_base_interface());
  std::thread spinning([&] { executor.spin(); });
  for (int i = 1; i <= 50; ++i) {
    time_->set(10s + i * 100ms);
    EXPECT_TRUE(test::eventually([&] { return calls_ == i * 10; }));
  }
  EXPECT_TRUE(test::eventually([&] { return executor.is_spinning(); }));
  executor.cancel();
  spinning.join();
}

TEST_F(SimulatedTimers, WakeAWaitSet) {
  const auto timer = node_->create_timer(1s, [] {});
  rclcpp::WaitSet wait_set({}, {}, {timer});
  EXPECT_EQ(wait_set.wait(1ms).kind(), rclcpp::WaitResultKind::Timeout);
  std::atomic<bool> is_over{false};
  std::thread simulator([&] {
    for (auto now = 10s + 1ms; !is_over; now += 1ms) time_->set(now);
  });
  EXPECT_EQ(wait_set.wait(test::kPatience).kind(), rclcpp::WaitResultKind::Ready);
  is_over = true;
  simulator.join();
  EXPECT_GE(node_->now(), ros_time(11s));
}

TEST_F(SimulatedTimers, MayHaveAnotherClockThanTheirNode) {
  const Simulated other(other_clock_);
  other.set(1s);
  const auto timer =
      rclcpp::create_timer(node_, other_clock_, rclcpp::Duration(1s), [this](rclcpp::TimerBase &) { ++calls_; });
  EXPECT_EQ(timer->get_clock(), other_clock_);
  EXPECT_EQ(calls_at(100s), 0);
  other.set(2s);
  EXPECT_EQ(calls_at(100s), 1);
  EXPECT_THROW(rclcpp::create_timer(node_, nullptr, rclcpp::Duration(1s), [] {}), std::invalid_argument);
  EXPECT_THROW(rclcpp::create_timer(node_, other_clock_, rclcpp::Duration(-1s), [] {}), std::invalid_argument);
}

TEST_F(SimulatedTimers, MayEndWhileTimeJumps) {
  std::atomic<bool> is_over{false};
  std::thread simulator([&] {
    for (auto now = 10s + 1ms; !is_over; now += 1ms) time_->set(now);
  });
  for (int i = 0; i < 200; ++i) {
    const auto timer = node_->create_timer(1ms, [this] { ++calls_; });
    executor_->spin_some();
  }
  is_over = true;
  simulator.join();
}

TEST_F(SimulatedTimers, FollowTheTopic) {
  test::Simulator simulator;
  const auto node = std::make_shared<rclcpp::Node>(
      "simulated", rclcpp::NodeOptions().append_parameter_override("use_sim_time", true));
  const auto timer = node->create_timer(100ms, [this] { ++calls_; });
  rclcpp::executors::SingleThreadedExecutor executor;
  executor.add_node(node);
  std::thread spinning([&] { executor.spin(); });
  for (int i = 1; i <= 50; ++i) {
    simulator.set(*node->get_clock(), i * 100ms);
    EXPECT_TRUE(test::eventually([&] { return calls_ == i; }));
  }
  EXPECT_TRUE(node->set_parameter(rclcpp::Parameter("use_sim_time", false)).successful);
  EXPECT_TRUE(test::eventually([&] { return calls_ >= 53; }));
  executor.cancel();
  spinning.join();
}
