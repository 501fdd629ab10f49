// Action clients, as programs for ROS 2 use them.
#include "actions.hpp"

#include <future>
#include <thread>

using namespace std::chrono_literals;
using rclcpp_action::exceptions::UnawareGoalHandleError;
using rclcpp_action::exceptions::UnknownGoalHandleError;
using test::CancelAnswer;
using test::Fibonacci;
using test::goal_of;
using test::GoalResponse;
using test::GoalStatus;
using test::numbers_of;
using test::result_of;
using test::ResultCode;
using ActionClient = test::Client;
using Handle = test::ClientHandle::SharedPtr;

namespace {

class ActionClients : public test::WithAction {};

TEST_F(ActionClients, CallbacksTellOfAGoalFromItsAnswerToItsResult) {
  std::vector<std::string> told;
  ActionClient::SendGoalOptions options;
  options.goal_response_callback = [&told](Handle handle) { told.push_back(handle ? "accepted" : "rejected"); };
  options.feedback_callback = [&told](Handle, const std::shared_ptr<const Fibonacci::Feedback> feedback) {
    told.push_back("feedback " + std::to_string(feedback->sequence.size()));
  };
  options.result_callback = [&told](const test::ClientHandle::WrappedResult & result) {
    told.push_back("result " + std::to_string(result.result->sequence.size()));
    EXPECT_EQ(result.code, ResultCode::SUCCEEDED);
  };
  const auto handle = send(3, options);
  EXPECT_TRUE(handle->is_result_aware());
  ASSERT_TRUE(spin_until([&] { return keeper_.handles.size() == 1; }));
  const auto feedback = std::make_shared<Fibonacci::Feedback>();
  feedback->sequence.resize(2);
  keeper_.handles[0]->publish_feedback(feedback);
  ASSERT_TRUE(spin_until([&] { return told.size() == 2; }));
  keeper_.handles[0]->succeed(result_of({1, 2, 3}));
  ASSERT_TRUE(spin_until([&] { return told.size() == 3; }));
  EXPECT_EQ(told, (std::vector<std::string>{"accepted", "feedback 2", "result 3"}));
  EXPECT_EQ(handle->get_status(), GoalStatus::STATUS_SUCCEEDED);

  keeper_.goal_response = GoalResponse::REJECT;
  EXPECT_EQ(send(3, options), nullptr);
  EXPECT_TRUE(spin_until([&] { return told.back() == "rejected"; }));
}

TEST_F(ActionClients, FeedbackThatIsHandledBeforeTheAnswerIsNotLost) {
  const auto clients = rclcpp::Node::make_shared("clients", node_->get_namespace());
  const auto client = rclcpp_action::create_client<Fibonacci>(clients, "fibonacci");
  ASSERT_TRUE(client->wait_for_action_server(test::kPatience));
  std::vector<std::string> told;
  ActionClient::SendGoalOptions options;
  options.goal_response_callback = [&told](Handle) { told.push_back("accepted"); };
  options.feedback_callback = [&told](Handle, const std::shared_ptr<const Fibonacci::Feedback> feedback) {
    told.push_back("feedback " + std::to_string(feedback->sequence.size()));
  };
  const auto future = client->async_send_goal(goal_of(3), options);
  ASSERT_TRUE(spin_until([&] { return keeper_.handles.size() == 1; }));
  const auto feedback = std::make_shared<Fibonacci::Feedback>();
  for (int i = 0; i < 3; ++i) {
    feedback->sequence.resize(feedback->sequence.size() + 1);
    keeper_.handles[0]->publish_feedback(feedback);
  }
  // Subscriptions come before clients: all feedback is handled first.
  rclcpp::executors::SingleThreadedExecutor executor;
  executor.add_node(clients);
  ASSERT_TRUE(test::spin_until(executor, [&] { return told.size() == 4; }));
  EXPECT_EQ(told, (std::vector<std::string>{"accepted", "feedback 1", "feedback 2", "feedback 3"}));
  EXPECT_EQ(future.get()->get_goal_id(), keeper_.handles[0]->get_goal_id());
}

TEST_F(ActionClients, ResultCallbackNeedsNobodyWhoKeepsTheHandle) {
  bool has_result = false;
  ActionClient::SendGoalOptions options;
  options.result_callback = [&](const test::ClientHandle::WrappedResult &) { has_result = true; };
  send(3, options).reset();
  ASSERT_TRUE(spin_until([&] { return keeper_.handles.size() == 1; }));
  keeper_.handles[0]->succeed(result_of({}));
  EXPECT_TRUE(spin_until([&] { return has_result; }));
}

TEST_F(ActionClients, ResultsAreAskedForOnceAndTheLastCallbackCounts) {
  const auto [handle, goal] = accepted();
  EXPECT_FALSE(handle->is_result_aware() || handle->is_feedback_aware());
  int first = 0;
  int second = 0;
  const auto future = client_->async_get_result(handle, [&](const auto &) { ++first; });
  client_->async_get_result(handle, [&](const auto &) { ++second; });
  EXPECT_TRUE(handle->is_result_aware());
  goal->succeed(result_of({8}));
  EXPECT_TRUE(spin_until([&] { return second == 1; }));
  EXPECT_EQ(first, 0);
  EXPECT_EQ(numbers_of(*future.get().result), std::vector<std::int32_t>{8});
  EXPECT_THROW(client_->async_get_result(handle), UnknownGoalHandleError);
}

TEST_F(ActionClients, HandlesOfOtherClientsAreUnknown) {
  const auto other = rclcpp_action::create_client<Fibonacci>(node_, "fibonacci");
  const auto handle = accepted().first;
  EXPECT_THROW(other->async_get_result(handle), UnknownGoalHandleError);
  EXPECT_THROW(other->async_cancel_goal(handle), UnknownGoalHandleError);
  EXPECT_NO_THROW(other->stop_callbacks(handle->get_goal_id()));
}

TEST_F(ActionClients, CancelCallbacksGetTheAnswer) {
  const auto handle = accepted().first;
  std::size_t cancelling = 0;
  const auto future = client_->async_cancel_goal(
      handle, [&](ActionClient::CancelResponse::SharedPtr answer) { cancelling = answer->goals_canceling.size(); });
  EXPECT_TRUE(spin_until([&] { return cancelling == 1; }));
  EXPECT_EQ(future.get()->return_code, CancelAnswer::ERROR_NONE);
}

TEST_F(ActionClients, FuturesOfAClientThatGoesSayWhy) {
  const auto [handle, goal] = accepted();
  const auto result = client_->async_get_result(handle);
  const auto unanswered = client_->async_send_goal(goal_of(3));
  client_.reset();
  EXPECT_EQ(handle->get_status(), GoalStatus::STATUS_UNKNOWN);
  EXPECT_FALSE(handle->is_result_aware());
  EXPECT_THROW(result.get(), UnawareGoalHandleError);
  EXPECT_THROW(unanswered.get(), std::future_error);
  goal->succeed(result_of({}));
  executor_->spin_some();
}

TEST_F(ActionClients, StoppedCallbacksAreNotCalled) {
  int called = 0;
  ActionClient::SendGoalOptions options;
  options.feedback_callback = [&](Handle, const std::shared_ptr<const Fibonacci::Feedback>) { ++called; };
  options.result_callback = [&](const test::ClientHandle::WrappedResult &) { ++called; };
  const auto first = send(1, options);
  const auto second = send(2, options);
  ASSERT_TRUE(spin_until([&] { return keeper_.handles.size() == 2; }));
  client_->stop_callbacks(first);
  client_->stop_callbacks(second->get_goal_id());
  EXPECT_FALSE(first->is_feedback_aware() || second->is_feedback_aware());
  for (const auto & goal : keeper_.handles) {
    goal->publish_feedback(std::make_shared<Fibonacci::Feedback>());
    goal->succeed(result_of({}));
  }
  const auto [handle, goal] = accepted();  // what was sent before has arrived
  goal->succeed(result_of({}));
  get(client_->async_get_result(handle));
  EXPECT_EQ(called, 0);
}

TEST_F(ActionClients, StopCallbacksWaitsForOneThatRuns) {
  std::promise<void> is_running;
  std::promise<void> may_return;
  std::atomic<bool> has_returned{false};
  ActionClient::SendGoalOptions options;
  options.feedback_callback = [&](Handle handle, const std::shared_ptr<const Fibonacci::Feedback>) {
    client_->stop_callbacks(handle);  // from within it returns at once
    is_running.set_value();
    may_return.get_future().wait();
    has_returned = true;
  };
  const auto handle = send(1, options);
  ASSERT_TRUE(spin_until([&] { return keeper_.handles.size() == 1; }));
  keeper_.handles[0]->publish_feedback(std::make_shared<Fibonacci::Feedback>());
  std::thread spinning([&] { test::spin_until(*executor_, [&] { return has_returned.load(); }); });
  is_running.get_future().wait();
  auto stopped = std::async(std::launch::async, [&] { client_->stop_callbacks(handle); });
  EXPECT_EQ(stopped.wait_for(50ms), std::future_status::timeout);
  EXPECT_GE(handle->get_status(), GoalStatus::STATUS_ACCEPTED);  // does not wait
  may_return.set_value();
  stopped.get();
  EXPECT_TRUE(has_returned);
  spinning.join();
}

TEST_F(ActionClients, WaitForAServer) {
  const auto lonely = rclcpp_action::create_client<Fibonacci>(node_, "nobody");
  EXPECT_FALSE(lonely->action_server_is_ready());
  EXPECT_FALSE(lonely->wait_for_action_server(0s));
  EXPECT_FALSE(lonely->wait_for_action_server(10ms));
  auto waiting = std::async(std::launch::async, [&] { return lonely->wait_for_action_server(); });
  EXPECT_EQ(waiting.wait_for(20ms), std::future_status::timeout);
  const auto server = keeper_.serve(node_, "nobody");
  EXPECT_TRUE(waiting.get());
}

TEST_F(ActionClients, WaitingThrowsWithoutANode) {
  auto other = std::make_shared<rclcpp::Node>("other");
  const auto client = rclcpp_action::create_client<Fibonacci>(other, "nobody");
  other.reset();
  EXPECT_THROW(client->wait_for_action_server(1ms), rclcpp::exceptions::InvalidNodeError);
}

TEST_F(ActionClients, ClientsWhoComeLateGetTheStatusOnly) {
  const auto [handle, goal] = accepted();
  const auto late = rclcpp_action::create_client<Fibonacci>(node_, "fibonacci");
  ASSERT_TRUE(late->wait_for_action_server(test::kPatience));
  EXPECT_THROW(late->async_get_result(handle), UnknownGoalHandleError);
  EXPECT_EQ(get(late->async_cancel_all_goals())->goals_canceling.size(), 1u);
  EXPECT_TRUE(goal->is_canceling());
}

TEST_F(ActionClients, WaitingEndsWithShutdown) {
  const auto lonely = rclcpp_action::create_client<Fibonacci>(node_, "nobody");
  auto waiting = std::async(std::launch::async, [&] { return lonely->wait_for_action_server(); });
  EXPECT_EQ(waiting.wait_for(20ms), std::future_status::timeout);
  rclcpp::shutdown();
  EXPECT_FALSE(waiting.get());
}

}  // namespace
