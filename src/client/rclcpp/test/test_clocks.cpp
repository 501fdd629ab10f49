// What a clock shows while its time is simulated, its jumps, and sleeping by it.
#include <algorithm>
#include <atomic>
#include <future>

#include "simulation.hpp"

using namespace std::chrono_literals;
using rclcpp::Clock;
using test::ros_time;
using test::Simulated;

namespace {

class Clocks : public test::Rclcpp {
 protected:
  const Clock::SharedPtr clock_ = std::make_shared<Clock>(RCL_ROS_TIME);
};

constexpr rcl_jump_threshold_t kEvery{true, {1}, {-1}};

}  // namespace

TEST_F(Clocks, ShowTheTimeThatIsSet) {
  EXPECT_FALSE(clock_->ros_time_is_active());
  EXPECT_TRUE(clock_->started());
  {
    const Simulated time(clock_);
    EXPECT_TRUE(clock_->ros_time_is_active());
    EXPECT_EQ(clock_->now(), ros_time(0s));
    EXPECT_FALSE(clock_->started());
    time.set(5s);
    EXPECT_EQ(clock_->now(), ros_time(5s));
    EXPECT_TRUE(clock_->started());
    rcl_time_point_value_t now = 0;
    EXPECT_EQ(rcl_clock_get_now(clock_->get_clock_handle(), &now), RCL_RET_OK);
    EXPECT_EQ(now, 5000000000);
  }
  EXPECT_GT(clock_->now().seconds(), 1e9);
  rcl_set_ros_time_override(clock_->get_clock_handle(), 7);
  EXPECT_GT(clock_->now().seconds(), 1e9);
  const Simulated again(clock_);
  EXPECT_EQ(clock_->now(), ros_time(7ns));
}

TEST_F(Clocks, OnlyRosTimeIsSimulated) {
  EXPECT_EQ(rcl_enable_ros_time_override(nullptr), RCL_RET_INVALID_ARGUMENT);
  EXPECT_EQ(rcl_disable_ros_time_override(nullptr), RCL_RET_INVALID_ARGUMENT);
  EXPECT_EQ(rcl_set_ros_time_override(nullptr, 1), RCL_RET_INVALID_ARGUMENT);
  EXPECT_EQ(rcl_set_ros_time_override(clock_->get_clock_handle(), -1), RCL_RET_INVALID_ARGUMENT);
  EXPECT_EQ(rcl_is_enabled_ros_time_override(clock_->get_clock_handle(), nullptr), RCL_RET_INVALID_ARGUMENT);
  EXPECT_EQ(rcl_clock_get_now(clock_->get_clock_handle(), nullptr), RCL_RET_INVALID_ARGUMENT);
  Clock steady(RCL_STEADY_TIME);
  EXPECT_EQ(rcl_enable_ros_time_override(steady.get_clock_handle()), RCL_RET_ERROR);
  EXPECT_EQ(rcl_set_ros_time_override(steady.get_clock_handle(), 1), RCL_RET_ERROR);
  EXPECT_FALSE(steady.ros_time_is_active());
  bool is_enabled = true;
  EXPECT_EQ(rcl_is_enabled_ros_time_override(clock_->get_clock_handle(), &is_enabled), RCL_RET_OK);
  EXPECT_FALSE(is_enabled);
}

TEST_F(Clocks, JumpsAreToldBeforeAndAfter) {
  std::vector<std::string> calls;
  rclcpp::Time before, after;
  const auto handler = clock_->create_jump_callback(
      [&] {
        before = clock_->now();
        calls.emplace_back("before");
      },
      [&](const rcl_time_jump_t & jump) {
        after = clock_->now();
        calls.push_back("after " + std::to_string(jump.clock_change) + " " + std::to_string(jump.delta.nanoseconds));
      },
      kEvery);
  {
    const Simulated time(clock_);
    time.set(0ns);  // no jump
    EXPECT_EQ(calls, (std::vector<std::string>{"before", "after 2 0"}));
    time.set(5ns);
    time.set(5ns);
    EXPECT_EQ(before, ros_time(0ns));
    EXPECT_EQ(after, ros_time(5ns));
    time.set(2ns);
    calls.erase(calls.begin(), calls.begin() + 2);
    EXPECT_EQ(calls, (std::vector<std::string>{"before", "after 1 5", "before", "after 1 -3"}));
    calls.clear();
  }
  EXPECT_EQ(calls, (std::vector<std::string>{"before", "after 3 0"}));
  EXPECT_GT(after.seconds(), 1e9);
}

TEST_F(Clocks, OnlyJumpsBeyondTheThresholdAreTold) {
  const auto count = [this](const rcl_jump_threshold_t & threshold) {
    int calls = 0;
    const auto handler = clock_->create_jump_callback(
        nullptr, [&](const rcl_time_jump_t &) { ++calls; }, threshold);
    const auto only_before = clock_->create_jump_callback([] {}, nullptr, threshold);
    const Simulated time(clock_);
    for (const auto now : {100ns, 101ns, 111ns, 110ns, 100ns, 0ns}) time.set(now);
    return calls;
  };
  EXPECT_EQ(count({true, {0}, {0}}), 1);
  EXPECT_EQ(count({false, {0}, {0}}), 0);
  EXPECT_EQ(count({false, {1}, {0}}), 3);
  EXPECT_EQ(count({false, {10}, {0}}), 2);
  EXPECT_EQ(count({false, {11}, {0}}), 1);
  EXPECT_EQ(count({false, {0}, {-1}}), 3);
  EXPECT_EQ(count({false, {0}, {-10}}), 2);
  EXPECT_EQ(count({true, {11}, {-11}}), 3);
  EXPECT_THROW(count({false, {-1}, {0}}), std::invalid_argument);
  EXPECT_THROW(count({false, {0}, {1}}), std::invalid_argument);
}

TEST_F(Clocks, HandlersComeAndGoInCallbacks) {
  const Simulated time(clock_);
  rclcpp::JumpHandler::SharedPtr first, second, third;
  int calls = 0, late_calls = 0;
  first = clock_->create_jump_callback(
      nullptr,
      [&](const rcl_time_jump_t &) {
        ++calls;
        first.reset();
        second.reset();
        third = clock_->create_jump_callback(
            nullptr, [&](const rcl_time_jump_t &) { ++late_calls; }, kEvery);
      },
      kEvery);
  second = clock_->create_jump_callback(
      nullptr, [&](const rcl_time_jump_t &) { FAIL(); }, kEvery);
  time.set(1s);
  EXPECT_EQ(calls, 1);
  EXPECT_EQ(late_calls, 0);
  time.set(2s);
  EXPECT_EQ(calls, 1);
  EXPECT_EQ(late_calls, 1);
}

TEST_F(Clocks, NoCallbackRunsOnceItsHandlerIsGone) {
  const Simulated time(clock_);
  std::atomic<bool> is_over{false};
  std::thread simulator([&] {
    for (auto now = 1ns; !is_over; ++now) time.set(now);
  });
  for (int i = 0; i < 100; ++i) {
    const auto calls = std::make_unique<std::atomic<int>>(0);  // a call too many is a use after free
    const auto handler = clock_->create_jump_callback(
        nullptr, [&](const rcl_time_jump_t &) { ++*calls; }, kEvery);
    EXPECT_TRUE(test::eventually([&] { return *calls > 0; }));
  }
  is_over = true;
  simulator.join();
}

TEST_F(Clocks, WhatACallbackThrowsIsLogged) {
  const Simulated time(clock_);
  const auto handler = clock_->create_jump_callback([] { throw std::runtime_error("out of order"); }, nullptr, kEvery);
  const std::string log = written([&] { time.set(1s); });
  EXPECT_NE(log.find("out of order"), std::string::npos);
  EXPECT_EQ(clock_->now(), ros_time(1s));
}

TEST_F(Clocks, AHandlerMayOutliveItsClock) {
  rclcpp::JumpHandler::SharedPtr handler;
  {
    Clock clock(RCL_ROS_TIME);
    handler = clock.create_jump_callback(nullptr, nullptr, kEvery);
  }
  EXPECT_EQ(handler->notice_threshold.min_forward.nanoseconds, 1);
  handler.reset();
}

TEST_F(Clocks, ASleepFollowsSimulatedTime) {
  const Simulated time(clock_);
  time.set(10s);
  EXPECT_TRUE(clock_->sleep_until(ros_time(10s)));
  std::atomic<bool> is_over{false};
  auto sleep = std::async(std::launch::async, [&] {
    const bool result = clock_->sleep_until(ros_time(20s));
    is_over = true;
    return result;
  });
  for (const auto now : {12s, 5s, 19s, 0s, 15s}) {
    time.set(now);
    std::this_thread::sleep_for(1ms);
    EXPECT_FALSE(is_over);
  }
  time.set(20s);
  EXPECT_TRUE(sleep.get());
}

TEST_F(Clocks, ASleepEndsWhenSimulatedTimeIsSwitched) {
  const auto until = clock_->now() + rclcpp::Duration(1h);
  auto sleep = std::async(std::launch::async, [&] { return clock_->sleep_until(until); });
  EXPECT_TRUE(test::eventually([&] {
    { const Simulated on_and_off(clock_); }
    return sleep.wait_for(0s) == std::future_status::ready;
  }));
  EXPECT_FALSE(sleep.get());
}

TEST_F(Clocks, ASleepEndsWhenItIsCancelled) {
  for (const auto type : {RCL_ROS_TIME, RCL_SYSTEM_TIME, RCL_STEADY_TIME}) {
    Clock clock(type);
    auto sleep = std::async(std::launch::async, [&] { return clock.sleep_for(1h); });
    clock.cancel_sleep_or_wait();  // before it or during it
    EXPECT_FALSE(sleep.get());
    EXPECT_TRUE(clock.sleep_for(1ns));  // ended one sleep only
  }
  const Simulated time(clock_);
  auto sleep = std::async(std::launch::async, [&] { return clock_->sleep_for(1h); });
  clock_->cancel_sleep_or_wait();
  EXPECT_FALSE(sleep.get());
}

TEST_F(Clocks, EverySleepEndsAtShutdown) {
  const Simulated time(clock_);
  Clock system;
  std::vector<std::future<bool>> sleeps;
  std::atomic<int> begun{0};
  for (Clock * clock : {clock_.get(), clock_.get(), &system}) {
    sleeps.push_back(std::async(std::launch::async, [&begun, clock] {
      const auto until = clock->now() + rclcpp::Duration(1h);
      ++begun;
      try {
        return clock->sleep_until(until);
      } catch (const std::runtime_error &) {  // it was late: the context was shut down before
        return false;
      }
    }));
  }
  EXPECT_TRUE(test::eventually([&] { return begun == 3; }));
  rclcpp::shutdown();
  for (auto & sleep : sleeps) EXPECT_FALSE(sleep.get());
}

TEST_F(Clocks, AreWaitedForUntilTheyStart) {
  EXPECT_TRUE(clock_->wait_until_started());
  EXPECT_TRUE(clock_->wait_until_started(rclcpp::Duration(1h)));
  EXPECT_THROW(clock_->wait_until_started(rclcpp::Context::SharedPtr()), std::runtime_error);
  EXPECT_THROW(clock_->wait_until_started(rclcpp::Duration(1s), nullptr), std::runtime_error);
  const Simulated time(clock_);
  EXPECT_FALSE(clock_->wait_until_started(rclcpp::Duration(0s)));
  EXPECT_FALSE(clock_->wait_until_started(rclcpp::Duration(-1s)));
  EXPECT_FALSE(clock_->wait_until_started(rclcpp::Duration(1ms)));
  auto plain = std::async(std::launch::async, [&] { return clock_->wait_until_started(); });
  auto timed = std::async(std::launch::async, [&] { return clock_->wait_until_started(rclcpp::Duration(1h)); });
  time.set(1ns);
  EXPECT_TRUE(plain.get());
  EXPECT_TRUE(timed.get());
}

TEST_F(Clocks, AThrottledLineFollowsSimulatedTime) {
  const Simulated time(clock_);
  const auto lines = [this, &time](std::chrono::nanoseconds now) {
    time.set(now);
    const std::string log = written([this] {
      for (int i = 0; i < 3; ++i) RCLCPP_INFO_THROTTLE(rclcpp::get_logger("throttled"), *clock_, 1000, "a line");
    });
    return std::count(log.begin(), log.end(), '\n');
  };
  for (const auto now : {0s, 1s, 5s, 2s}) EXPECT_EQ(lines(now), now == 0s ? 0 : 1) << now.count();
}

TEST_F(Clocks, ARateFollowsSimulatedTime) {
  const Simulated time(clock_);
  time.set(1s);
  rclcpp::Rate rate(rclcpp::Duration(1s), clock_);
  std::atomic<int> turns{0};
  std::thread loop([&] {
    for (; turns < 3; ++turns) rate.sleep();
  });
  for (const auto now : {2s, 3s, 4s}) {
    EXPECT_EQ(turns, (now - 2s).count());
    time.set(now);
    EXPECT_TRUE(test::eventually([&] { return turns == (now - 1s).count(); }));
  }
  loop.join();
  time.set(10s);
  EXPECT_FALSE(rate.sleep());  // more than a period late
  rclcpp::shutdown();
  EXPECT_FALSE(rate.sleep());
}
