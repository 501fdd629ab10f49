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
