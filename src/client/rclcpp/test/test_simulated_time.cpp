// The parameter use_sim_time, /clock, and the clocks that follow it.
#include <unistd.h>

#include <atomic>
#include <filesystem>
#include <fstream>

#include "other_process.hpp"
#include "simulation.hpp"

using namespace std::chrono_literals;
using rclcpp::Node;
using rclcpp::NodeOptions;
using rclcpp::Parameter;
using test::ros_time;
using test::Simulator;

namespace {

using SimulatedTime = test::Rclcpp;

NodeOptions simulated() { return NodeOptions().append_parameter_override("use_sim_time", true); }

/// Threads of this process that take /clock.
size_t count_clock_threads() {
  size_t count = 0;
  for (const auto & task : std::filesystem::directory_iterator("/proc/self/task")) {
    std::string name;
    std::ifstream(task.path() / "comm") >> name;
    if (name == "ros_clock") ++count;
  }
  return count;
}

/// Threads that were joined may be listed a moment longer.
bool clock_threads_are(size_t count) {
  return test::eventually([count] { return count_clock_threads() == count; });
}

bool switch_to(Node & node, bool is_simulated) {
  return node.set_parameter(Parameter("use_sim_time", is_simulated)).successful;
}

}  // namespace

TEST_F(SimulatedTime, IsABoolAndForClocksOfRosTime) {
  const auto declared = [] { return NodeOptions().automatically_declare_parameters_from_overrides(true); };
  EXPECT_THROW(Node("node", declared().append_parameter_override("use_sim_time", "yes")), std::invalid_argument);
  EXPECT_THROW(Node("node", NodeOptions().append_parameter_override("use_sim_time", 1)),
               rclcpp::exceptions::InvalidParameterTypeException);
  const auto steady = [] { return NodeOptions().clock_type(RCL_STEADY_TIME); };
  EXPECT_THROW(Node("node", steady().append_parameter_override("use_sim_time", true)), std::invalid_argument);
  Node node("node", steady());
  const auto result = node.set_parameter(Parameter("use_sim_time", true));
  EXPECT_FALSE(result.successful);
  EXPECT_NE(std::string(result.reason).find("not all of RCL_ROS_TIME"), std::string::npos);
  EXPECT_FALSE(node.get_parameter("use_sim_time").as_bool());
  EXPECT_TRUE(switch_to(node, false));
}

TEST_F(SimulatedTime, StaysABoolThatIsTypedDynamically) {
  Node node("node", simulated().automatically_declare_parameters_from_overrides(true));
  EXPECT_TRUE(node.get_clock()->ros_time_is_active());
  const auto result = node.set_parameter(Parameter("use_sim_time", "no"));
  EXPECT_FALSE(result.successful);
  EXPECT_NE(std::string(result.reason).find("bool"), std::string::npos);
  node.undeclare_parameter("use_sim_time");
  EXPECT_TRUE(node.get_clock()->ros_time_is_active());
}

TEST_F(SimulatedTime, ComesFromTheCommandLineToo) {
  Node node("node", NodeOptions().arguments({"--ros-args", "-p", "use_sim_time:=true"}));
  EXPECT_TRUE(node.get_clock()->ros_time_is_active());
  Node other("other", NodeOptions().arguments({"--ros-args", "-p", "node:use_sim_time:=true"}));
  EXPECT_FALSE(other.get_clock()->ros_time_is_active());
}

TEST_F(SimulatedTime, IsZeroUntilTheFirstMessageAndThenWhatMessagesSay) {
  Simulator simulator;
  const auto node = std::make_shared<Node>("node", simulated());
  EXPECT_EQ(node->now(), ros_time(0s));
  EXPECT_FALSE(node->get_clock()->started());
  for (const auto now : {1s, 2s, 100s, 5s}) {
    simulator.set(*node->get_clock(), now);
    EXPECT_EQ(node->now(), ros_time(now));
    EXPECT_EQ(node->create_sub_node("sub")->now(), ros_time(now));
  }
}

TEST_F(SimulatedTime, IsSwitchedOnAndOffByTheParameter) {
  Simulator simulator;
  Node node("node");
  EXPECT_TRUE(clock_threads_are(0));
  EXPECT_EQ(node.count_subscribers("/clock"), 0u);
  for (const auto now : {5s, 6s}) {
    EXPECT_TRUE(switch_to(node, true));
    EXPECT_TRUE(switch_to(node, true));
    EXPECT_TRUE(node.get_clock()->ros_time_is_active());
    EXPECT_EQ(node.count_subscribers("/clock"), 1u);
    EXPECT_TRUE(clock_threads_are(1));
    simulator.set(*node.get_clock(), now);
    EXPECT_TRUE(switch_to(node, false));
    EXPECT_TRUE(switch_to(node, false));
    EXPECT_FALSE(node.get_clock()->ros_time_is_active());
    EXPECT_GT(node.now().seconds(), 1e9);
    EXPECT_EQ(node.count_subscribers("/clock"), 0u);
    EXPECT_TRUE(clock_threads_are(0));
  }
}

TEST_F(SimulatedTime, WithoutAThreadTheExecutorTakesTheMessages) {
  Simulator simulator;
  const auto node = std::make_shared<Node>("node", simulated().use_clock_thread(false));
  EXPECT_TRUE(clock_threads_are(0));
  ASSERT_TRUE(test::eventually([&] { return simulator.listeners() == 1; }));
  simulator.publish(3s);
  EXPECT_EQ(node->now(), ros_time(0s));
  rclcpp::executors::SingleThreadedExecutor executor;
  executor.add_node(node);
  EXPECT_TRUE(test::spin_until(executor, [&] {
    simulator.publish(3s);  // a message that is not reliable may be lost
    return node->now() == ros_time(3s);
  }));
  EXPECT_TRUE(switch_to(*node, false));
  EXPECT_FALSE(node->get_clock()->ros_time_is_active());
}

TEST_F(SimulatedTime, EndsWithTheNode) {
  auto node = std::make_shared<Node>("node", simulated());
  const auto clock = node->get_clock();
  EXPECT_TRUE(clock->ros_time_is_active());
  node.reset();
  EXPECT_FALSE(clock->ros_time_is_active());
}

TEST_F(SimulatedTime, ATimeBeforeZeroIsDropped) {
  Simulator simulator;
  Node node("node", simulated());
  simulator.set(*node.get_clock(), 1s);
  simulator.publish(-5s);
  simulator.set(*node.get_clock(), 2s);
}

TEST_F(SimulatedTime, IsWhatEventsAreStampedWith) {
  Simulator simulator;
  const auto node = std::make_shared<Node>("node", simulated());
  simulator.set(*node->get_clock(), 42s);
  std::vector<rclcpp::Time> stamps;
  const auto subscription = node->create_subscription<rcl_interfaces::msg::ParameterEvent>(
      "/parameter_events", 10,
      [&](const rcl_interfaces::msg::ParameterEvent & event) { stamps.emplace_back(event.stamp); });
  rclcpp::executors::SingleThreadedExecutor executor;
  executor.add_node(node);
  int value = 0;
  node->declare_parameter("a", value);
  ASSERT_TRUE(test::spin_until(executor, [&] {
    node->set_parameter(Parameter("a", ++value));
    return !stamps.empty();
  }));
  EXPECT_EQ(stamps.back(), ros_time(42s));
}

TEST_F(SimulatedTime, QosCanBeOverridden) {
  const auto reliability = [](const NodeOptions & options) {
    Node node("node", options);
    return node.get_subscriptions_info_by_topic("/clock").at(0).qos_profile().reliability();
  };
  const std::string prefix = "qos_overrides./clock.subscription.";
  using rclcpp::ReliabilityPolicy;
  EXPECT_EQ(reliability(simulated()), ReliabilityPolicy::BestEffort);
  EXPECT_EQ(reliability(simulated().clock_qos(rclcpp::QoS(3))), ReliabilityPolicy::Reliable);
  const auto reliable = [&] { return simulated().append_parameter_override(prefix + "reliability", "reliable"); };
  EXPECT_EQ(reliability(reliable()), ReliabilityPolicy::Reliable);
  EXPECT_EQ(reliability(reliable().automatically_declare_parameters_from_overrides(true)), ReliabilityPolicy::Reliable);
  EXPECT_THROW(Node("node", simulated().append_parameter_override(prefix + "history", "none")), std::invalid_argument);
  EXPECT_THROW(Node("node", simulated().append_parameter_override(prefix + "depth", -1)),
               rclcpp::exceptions::InvalidQosOverridesException);
  EXPECT_ANY_THROW(Node("node", simulated().append_parameter_override(prefix + "depth", "deep")));

  Node node("node", NodeOptions().append_parameter_override(prefix + "durability", "none"));
  const std::string log = written([&] { EXPECT_TRUE(switch_to(node, true)); });
  EXPECT_NE(log.find(prefix + "durability': 'none'"), std::string::npos);
  EXPECT_FALSE(node.get_clock()->ros_time_is_active());
}

TEST_F(SimulatedTime, JumpCallbacksMayUseParametersAndSwitchItOff) {
  Simulator simulator;
  const auto node = std::make_shared<Node>("node");
  std::atomic<int> calls{0};
  const auto use = node->get_clock()->create_jump_callback(
      [&] { calls += node->get_parameter("use_sim_time").as_bool() ? 1 : 2; }, nullptr, {true, {1}, {-1}});
  std::atomic<bool> is_over{false};
  std::thread publishing([&] {
    for (auto now = 1ns; !is_over; ++now) simulator.publish(now);
  });
  for (int i = 0; i < 50; ++i) {
    const int before = calls;
    EXPECT_TRUE(switch_to(*node, true));
    EXPECT_TRUE(test::eventually([&] { return calls > before + 1; }));
    EXPECT_TRUE(switch_to(*node, false));
  }
  EXPECT_TRUE(switch_to(*node, true));
  const auto off = node->get_clock()->create_jump_callback(
      nullptr, [&](const rcl_time_jump_t &) { EXPECT_TRUE(switch_to(*node, false)); }, {false, {1}, {-1}});
  EXPECT_TRUE(test::eventually([&] { return !node->get_clock()->ros_time_is_active(); }));
  is_over = true;
  publishing.join();
}

TEST_F(SimulatedTime, ANodeMayEndInAJumpCallback) {
  Simulator simulator;
  auto node = std::make_shared<Node>("node", simulated());
  const auto clock = node->get_clock();
  const std::weak_ptr<Node> weak = node;
  const auto end = clock->create_jump_callback(
      nullptr, [node = std::move(node)](const rcl_time_jump_t &) mutable { node.reset(); }, {false, {1}, {-1}});
  EXPECT_TRUE(test::eventually([&] {
    simulator.publish(1s);
    return weak.expired() && !clock->ros_time_is_active();
  }));
}

TEST_F(SimulatedTime, ATimeSourceDrivesTheClocksThatAreAttached) {
  Simulator simulator;
  const auto node = std::make_shared<Node>("node");
  const auto first = std::make_shared<rclcpp::Clock>(RCL_ROS_TIME);
  const auto second = std::make_shared<rclcpp::Clock>(RCL_ROS_TIME);
  rclcpp::TimeSource source(node);
  source.attachClock(first);
  EXPECT_FALSE(first->ros_time_is_active());
  EXPECT_FALSE(source.clock_thread_is_joinable());
  EXPECT_TRUE(switch_to(*node, true));
  EXPECT_TRUE(first->ros_time_is_active());
  EXPECT_TRUE(source.clock_thread_is_joinable());
  simulator.set(*first, 1s);
  source.attachClock(second);
  source.attachClock(second);
  EXPECT_EQ(second->now(), ros_time(1s));
  simulator.set(*second, 2s);
  source.detachClock(second);
  simulator.set(*first, 3s);
  EXPECT_EQ(second->now(), ros_time(2s));
  source.detachNode();
  source.detachNode();
  EXPECT_FALSE(first->ros_time_is_active());
  EXPECT_FALSE(source.clock_thread_is_joinable());
  EXPECT_NE(written([&] { source.detachClock(second); }).find("not attached"), std::string::npos);
  source.attachNode(node);
  source.attachNode(node);
  EXPECT_TRUE(first->ros_time_is_active());
}

TEST_F(SimulatedTime, ATimeSourceRefusesClocksThatCannotFollow) {
  const auto node = std::make_shared<Node>("node");
  const auto steady = std::make_shared<rclcpp::Clock>(RCL_STEADY_TIME);
  rclcpp::TimeSource source(node);
  EXPECT_THROW(source.attachClock(nullptr), std::invalid_argument);
  source.attachClock(steady);
  EXPECT_FALSE(switch_to(*node, true));
  source.detachClock(steady);
  EXPECT_TRUE(switch_to(*node, true));
  EXPECT_THROW(source.attachClock(steady), std::invalid_argument);
}

TEST_F(SimulatedTime, ATimeSourceHasAThreadIfItsNodeWantsOne) {
  rclcpp::TimeSource source(rclcpp::ClockQoS(), false);
  EXPECT_FALSE(source.get_use_clock_thread());
  source.attachNode(std::make_shared<Node>("with", simulated()));
  EXPECT_TRUE(source.get_use_clock_thread());
  EXPECT_TRUE(source.clock_thread_is_joinable());
  source.attachNode(std::make_shared<Node>("without", simulated().use_clock_thread(false)));
  EXPECT_FALSE(source.get_use_clock_thread());
  EXPECT_FALSE(source.clock_thread_is_joinable());
  source.set_use_clock_thread(true);
  EXPECT_TRUE(source.get_use_clock_thread());
  rclcpp::TimeSource moved = std::move(source);
  EXPECT_TRUE(moved.get_use_clock_thread());
  moved = rclcpp::TimeSource();
}

// Run by the next test, in a process of its own.
TEST_F(SimulatedTime, DISABLED_Publish) {
  Simulator simulator;
  const pid_t parent = getppid();
  for (auto now = 100s; getppid() == parent; ++now) {
    simulator.publish(now);
    std::this_thread::sleep_for(1ms);
  }
}

TEST_F(SimulatedTime, ComesFromAnotherProcess) {
  const test::OtherProcess simulator("*.DISABLED_Publish");
  Node node("node", simulated());
  const bool started = node.get_clock()->wait_until_started(rclcpp::Duration(test::kPatience));
  EXPECT_TRUE(started);
  if (started) {
    const auto first = node.now();
    EXPECT_GE(first, ros_time(100s));
    EXPECT_TRUE(node.get_clock()->sleep_for(rclcpp::Duration(20s)));  // twenty messages
    EXPECT_GE(node.now(), first + rclcpp::Duration(20s));
  }
}
