// Clients of actions by the name of their type.
#include "actions.hpp"

using test::Fibonacci;
using test::GoalStatus;
using test::result_of;
using GenericHandle = rclcpp_action::GenericClientGoalHandle;
using rclcpp_action::GenericClient;

namespace {

constexpr const char * kType = "example_interfaces/action/Fibonacci";

class GenericActionClients : public test::WithAction {
 protected:
  void SetUp() override {
    WithAction::SetUp();
    generic_ = rclcpp_action::create_generic_client(node_, "fibonacci", kType);
    ASSERT_TRUE(generic_->wait_for_action_server(test::kPatience));
  }
  void TearDown() override {
    generic_.reset();
    WithAction::TearDown();
  }
  GenericClient::SharedPtr generic_;
};

TEST_F(GenericActionClients, SendGoalsAndGetFeedbackAndResults) {
  std::vector<std::int32_t> heard;
  GenericClient::SendGoalOptions options;
  options.feedback_callback = [&](GenericHandle::SharedPtr, const void * feedback) {
    heard.push_back(static_cast<const Fibonacci::Feedback *>(feedback)->sequence.at(0));
  };
  Fibonacci::Goal goal;
  goal.order = 12;
  const auto handle = get(generic_->async_send_goal(&goal, sizeof(goal), options));
  ASSERT_NE(handle, nullptr);
  ASSERT_TRUE(spin_until([&] { return keeper_.handles.size() == 1; }));
  EXPECT_EQ(keeper_.handles[0]->get_goal()->order, 12);
  const auto feedback = std::make_shared<Fibonacci::Feedback>();
  feedback->sequence.push_back(4);
  keeper_.handles[0]->publish_feedback(feedback);
  EXPECT_TRUE(spin_until([&] { return heard.size() == 1; }));
  EXPECT_EQ(heard, std::vector<std::int32_t>{4});
  keeper_.handles[0]->succeed(result_of({6, 7}));
  const auto result = get(generic_->async_get_result(handle));
  EXPECT_EQ(result.code, GenericHandle::ResultCode::SUCCEEDED);
  EXPECT_EQ(static_cast<const Fibonacci::Result *>(result.result)->sequence.at(1), 7);
  const auto * response =
      static_cast<const Fibonacci::Impl::GetResultService::Response *>(result.result_response.get());
  EXPECT_EQ(&response->result, result.result);
}

TEST_F(GenericActionClients, GoalsMayHaveIdsOfTheClientsChoice) {
  Fibonacci::Impl::SendGoalService::Request request;
  request.goal_id.uuid.fill(3);
  const auto handle = get(generic_->async_send_goal(&request));
  EXPECT_EQ(handle->get_goal_id(), request.goal_id.uuid);
  EXPECT_EQ(get(generic_->async_cancel_goal(handle))->goals_canceling.size(), 1u);
  EXPECT_TRUE(spin_until([&] { return handle->get_status() == GoalStatus::STATUS_CANCELING; }));
}

TEST_F(GenericActionClients, RefuseWhatIsNoGoalAndNoType) {
  Fibonacci::Goal goal;
  EXPECT_THROW(generic_->async_send_goal(&goal, sizeof(goal) + 1), std::invalid_argument);
  EXPECT_THROW(generic_->async_send_goal(nullptr, sizeof(goal)), std::invalid_argument);
  EXPECT_THROW(generic_->async_send_goal(nullptr), std::invalid_argument);
  EXPECT_THROW(rclcpp_action::create_generic_client(node_, "a", "example_interfaces/action/None"), std::runtime_error);
  EXPECT_THROW(rclcpp_action::create_generic_client(node_, "a", "example_interfaces/srv/AddTwoInts"),
               std::runtime_error);
}

}  // namespace
