// Actions in every executor, and in callback groups.
#include "actions.hpp"

#include <future>
#include <mutex>
#include <thread>

#include "rclcpp/experimental/executors/events_executor/events_executor.hpp"

using namespace std::chrono_literals;
using test::CancelResponse;
using test::Fibonacci;
using test::goal_of;
using test::GoalResponse;
using test::numbers_of;
using test::ResultCode;
using test::ServerHandle;
using Handle = test::ClientHandle::SharedPtr;

namespace {

/// Executes a goal as servers do, in a thread of its own, until it is cancelled.
void compute(const std::shared_ptr<ServerHandle> & goal) {
  auto feedback = std::make_shared<Fibonacci::Feedback>();
  feedback->sequence.assign(2, 1);
  auto result = std::make_shared<Fibonacci::Result>();
  const std::int32_t order = goal->get_goal()->order;
  for (std::int32_t i = 2; i < order || order < 0; ++i) {
    if (goal->is_canceling()) {
      result->sequence = feedback->sequence;
      goal->canceled(result);
      return;
    }
    const std::size_t size = feedback->sequence.size();
    if (order >= 0) feedback->sequence.push_back(feedback->sequence[size - 1] + feedback->sequence[size - 2]);
    goal->publish_feedback(feedback);
    if (order < 0) std::this_thread::sleep_for(1ms);
  }
  result->sequence = feedback->sequence;
  goal->succeed(result);
}

/// A server whose goals have threads.
class Computer {
 public:
  template <class NodeT>
  Computer(NodeT node, const std::string & action, rclcpp::CallbackGroup::SharedPtr group)
      : server_(rclcpp_action::create_server<Fibonacci>(
            node, action,
            [](const rclcpp_action::GoalUUID &, std::shared_ptr<const Fibonacci::Goal>) {
              return GoalResponse::ACCEPT_AND_EXECUTE;
            },
            [](std::shared_ptr<ServerHandle>) { return CancelResponse::ACCEPT; },
            [this](std::shared_ptr<ServerHandle> goal) {
              // Goals come from any of the executor's threads. The next one may come before this call has returned.
              const std::lock_guard<std::mutex> lock(mutex_);
              threads_.emplace_back(compute, goal);
            },
            rcl_action_server_get_default_options(), group)) {}
  ~Computer() {
    const std::lock_guard<std::mutex> lock(mutex_);
    for (auto & thread : threads_) thread.join();
  }

 private:
  std::mutex mutex_;
  std::vector<std::thread> threads_;  ///< guarded by mutex_
  test::Server::SharedPtr server_;
};

template <class ExecutorT>
class ActionsIn : public test::WithNodeIn<ExecutorT> {};
using Executors =
    testing::Types<rclcpp::executors::SingleThreadedExecutor, rclcpp::executors::MultiThreadedExecutor,
                   rclcpp::executors::StaticSingleThreadedExecutor, rclcpp::experimental::executors::EventsExecutor>;
TYPED_TEST_SUITE(ActionsIn, Executors);

TYPED_TEST(ActionsIn, GoalsAreExecutedAndCancelled) {
  const auto group = this->node_->create_callback_group(rclcpp::CallbackGroupType::Reentrant);
  std::thread spinning([this] { this->executor_->spin(); });
  {
    const auto client = rclcpp_action::create_client<Fibonacci>(this->node_, "fibonacci", group);
    Computer computer(this->node_, "fibonacci", group);
    EXPECT_TRUE(client->wait_for_action_server(test::kPatience));
    std::atomic<std::size_t> feedbacks{0};
    test::Client::SendGoalOptions options;
    options.feedback_callback = [&](Handle, const std::shared_ptr<const Fibonacci::Feedback>) { ++feedbacks; };
    const auto goal = client->async_send_goal(goal_of(8), options).get();
    const auto result = client->async_get_result(goal).get();
    EXPECT_EQ(result.code, ResultCode::SUCCEEDED);
    EXPECT_EQ(numbers_of(*result.result), (std::vector<std::int32_t>{1, 1, 2, 3, 5, 8, 13, 21}));

    const auto endless = client->async_send_goal(goal_of(-1), options).get();
    EXPECT_TRUE(test::eventually([&, before = feedbacks.load()] { return feedbacks > before + 3; }));
    EXPECT_EQ(client->async_cancel_goal(endless).get()->goals_canceling.size(), 1u);
    EXPECT_EQ(client->async_get_result(endless).get().code, ResultCode::CANCELED);
  }
  this->executor_->cancel();
  spinning.join();
}

class ActionsInGroups : public test::WithNode {};

TEST_F(ActionsInGroups, CallbacksRunInTheGroupThatIsGiven) {
  const auto group = node_->create_callback_group(rclcpp::CallbackGroupType::MutuallyExclusive, false);
  rclcpp::executors::SingleThreadedExecutor own;
  own.add_callback_group(group, node_->get_node_base_interface());
  std::thread::id server_thread;
  std::thread::id client_thread;
  const auto server = rclcpp_action::create_server<Fibonacci>(
      node_, "fibonacci",
      [&](const rclcpp_action::GoalUUID &, std::shared_ptr<const Fibonacci::Goal>) {
        server_thread = std::this_thread::get_id();
        return GoalResponse::REJECT;
      },
      [](std::shared_ptr<ServerHandle>) { return CancelResponse::ACCEPT; }, [](std::shared_ptr<ServerHandle>) {},
      rcl_action_server_get_default_options(), group);
  const auto client = rclcpp_action::create_client<Fibonacci>(node_, "fibonacci");
  ASSERT_TRUE(client->wait_for_action_server(test::kPatience));
  std::thread spinning([&] { own.spin(); });
  const auto spinning_id = spinning.get_id();
  test::Client::SendGoalOptions options;
  options.goal_response_callback = [&](Handle) { client_thread = std::this_thread::get_id(); };
  const auto answer = client->async_send_goal(goal_of(1), options);
  EXPECT_EQ(executor_->spin_until_future_complete(answer, test::kPatience), rclcpp::FutureReturnCode::SUCCESS);
  EXPECT_TRUE(spin_until([&] { return client_thread == std::this_thread::get_id(); }));
  own.cancel();
  spinning.join();
  EXPECT_EQ(server_thread, spinning_id);
}

}  // namespace
