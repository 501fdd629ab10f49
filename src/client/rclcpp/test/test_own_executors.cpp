// Executors that programs derive, and nodes that are in an executor for the length of a call.
#include "support.hpp"

#include <atomic>

using namespace std::chrono_literals;
using test::Block;

namespace {

/// An executor as a program would write it.
class OwnExecutor : public rclcpp::Executor {
 public:
  void spin() override {
    if (spinning.exchange(true)) throw std::runtime_error("spin() called while already spinning");
    while (rclcpp::ok(context_) && spinning.load()) {
      rclcpp::AnyExecutable executable;
      if (get_next_executable(executable)) execute_any_executable(executable);
    }
    spinning = false;
  }
  using Executor::execute_subscription;
  using Executor::execute_timer;
  using Executor::get_next_ready_executable;
  using Executor::wait_for_work;
  /// Takes what is ready, and drops it.
  bool skip() {
    rclcpp::AnyExecutable executable;
    return get_next_ready_executable(executable);
  }
};

}  // namespace

using OwnExecutors = test::WithNode;

TEST_F(OwnExecutors, ServeWhatTheyGet) {
  executor_->remove_node(node_);
  const auto node = node_;
  OwnExecutor executor;
  executor.add_node(node);
  std::atomic<int> received{0}, fired{0};
  auto subscription = node->create_subscription<Block>("topic", 10, [&](const Block &) { ++received; });
  auto publisher = node->create_publisher<Block>("topic", 10);
  ASSERT_TRUE(test::eventually([&] { return publisher->get_subscription_count() == 1; }));
  auto timer = node->create_wall_timer(1ms, [&] { ++fired; });
  ASSERT_TRUE(test::eventually([&] { return executor.skip(); }));
  {
    std::thread spinner([&] { executor.spin(); });
    publisher->publish(Block());
    EXPECT_TRUE(test::eventually([&] { return received == 1 && fired > 2; }));
    executor.cancel();
    spinner.join();
  }
  EXPECT_EQ(executor.get_automatically_added_callback_groups_from_nodes().size(), 1u);
  EXPECT_TRUE(executor.get_manually_added_callback_groups().empty());
  executor.remove_node(node);
  const int before = fired;
  ASSERT_TRUE(test::eventually([&] { return executor.spin_node_some(node), fired > before; }));
  executor.spin_node_all(node, 1ms);
  executor.spin_node_once(node, test::kPatience);
  executor.spin_node_once(node->get_node_base_interface(), 0s);
  EXPECT_GT(fired, before + 1);
}

TEST_F(OwnExecutors, WaitForWorkAndLookAtIt) {
  executor_->remove_node(node_);
  OwnExecutor executor;
  auto group = node_->create_callback_group(rclcpp::CallbackGroupType::MutuallyExclusive, false);
  executor.add_callback_group(group, node_->get_node_base_interface());
  rclcpp::AnyExecutable executable;
  executor.wait_for_work(0s);
  EXPECT_FALSE(executor.get_next_ready_executable(executable));

  int received = 0, fired = 0;
  rclcpp::SubscriptionOptions options;
  options.callback_group = group;
  auto subscription = node_->create_subscription<Block>(
      "topic", 10, [&](const Block &) { ++received; }, options);
  auto publisher = node_->create_publisher<Block>("topic", 10);
  ASSERT_TRUE(test::eventually([&] { return publisher->get_subscription_count() == 1; }));
  publisher->publish(Block());
  executor.wait_for_work(test::kPatience);
  executor.wait_for_work(test::kPatience);  // at once: it is still there
  ASSERT_TRUE(executor.get_next_ready_executable(executable));
  EXPECT_EQ(executable.subscription, subscription);
  EXPECT_EQ(executable.callback_group, group);
  EXPECT_EQ(executable.node_base, node_->get_node_base_interface());
  executor.execute_subscription(executable.subscription);
  EXPECT_EQ(received, 1);
  executor.execute_subscription(executable.subscription);  // there is none
  EXPECT_EQ(received, 1);

  auto timer = node_->create_wall_timer(1h, [&] { ++fired; });
  executor.execute_timer(timer, timer->call());
  EXPECT_EQ(fired, 1);
  publisher->publish(Block());
  executor.wait_for_work(0s);  // nothing is ready while the group is busy
  rclcpp::AnyExecutable none;
  EXPECT_FALSE(executor.get_next_ready_executable(none));
}
