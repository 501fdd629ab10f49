// Action servers, as programs for ROS 2 use them.
#include "actions.hpp"

#include <future>
#include <map>
#include <thread>

#include "action_msgs/msg/goal_status_array.hpp"
#include "action_msgs/srv/cancel_goal.hpp"
#include "service_msgs/msg/service_event_info.hpp"

using namespace std::chrono_literals;
using test::CancelAnswer;
using test::CancelResponse;
using test::Fibonacci;
using test::goal_of;
using test::GoalResponse;
using test::GoalStatus;
using test::numbers_of;
using test::result_of;
using test::ResultCode;
using test::ServerHandle;
using SendGoal = Fibonacci::Impl::SendGoalService;
using GetResult = Fibonacci::Impl::GetResultService;
using CancelGoal = action_msgs::srv::CancelGoal;
using StatusArray = action_msgs::msg::GoalStatusArray;

namespace {

class ActionServers : public test::WithAction {
 protected:
  /// Calls one of the action's services as it is on the wire.
  template <class ServiceT>
  typename ServiceT::Response call(const std::string & part, const typename ServiceT::Request & request) {
    const auto client = node_->create_client<ServiceT>("fibonacci/_action/" + part);
    EXPECT_TRUE(client->wait_for_service(test::kPatience));
    return *get(client->async_send_request(std::make_shared<typename ServiceT::Request>(request)).share());
  }
  SendGoal::Request goal_request(std::uint8_t id) {
    SendGoal::Request request;
    request.goal_id.uuid.fill(id);
    request.goal.order = 3;
    return request;
  }
  GetResult::Request result_request(const rclcpp_action::GoalUUID & id) {
    GetResult::Request request;
    request.goal_id.uuid = id;
    return request;
  }
};

TEST_F(ActionServers, GoalsSucceedAbortAndAreCancelled) {
  const auto [succeeding, to_succeed] = accepted(5);
  EXPECT_EQ(to_succeed->get_goal()->order, 5);
  EXPECT_EQ(to_succeed->get_goal_id(), succeeding->get_goal_id());
  EXPECT_TRUE(to_succeed->is_executing() && to_succeed->is_active());
  auto result = client_->async_get_result(succeeding);
  to_succeed->succeed(result_of({0, 1, 1}));
  EXPECT_FALSE(to_succeed->is_active());
  EXPECT_EQ(get(result).code, ResultCode::SUCCEEDED);
  EXPECT_EQ(numbers_of(*result.get().result), (std::vector<std::int32_t>{0, 1, 1}));

  const auto [aborting, to_abort] = accepted();
  to_abort->abort(result_of({7}));
  const auto aborted = get(client_->async_get_result(aborting));
  EXPECT_EQ(aborted.code, ResultCode::ABORTED);
  EXPECT_EQ(numbers_of(*aborted.result), std::vector<std::int32_t>{7});

  const auto [cancelling, to_cancel] = accepted();
  const auto answer = get(client_->async_cancel_goal(cancelling));
  EXPECT_EQ(answer->return_code, CancelAnswer::ERROR_NONE);
  ASSERT_EQ(answer->goals_canceling.size(), 1u);
  EXPECT_EQ(answer->goals_canceling[0].goal_id.uuid, cancelling->get_goal_id());
  EXPECT_TRUE(to_cancel->is_canceling());
  EXPECT_TRUE(has_status(cancelling, GoalStatus::STATUS_CANCELING));
  to_cancel->canceled(result_of({}));
  EXPECT_EQ(get(client_->async_get_result(cancelling)).code, ResultCode::CANCELED);
}

TEST_F(ActionServers, CancellingGoalsMayStillSucceed) {
  const auto [handle, goal] = accepted();
  get(client_->async_cancel_goal(handle));
  goal->succeed(result_of({1}));
  EXPECT_EQ(get(client_->async_get_result(handle)).code, ResultCode::SUCCEEDED);
}

TEST_F(ActionServers, RejectedGoalsHaveNoHandle) {
  keeper_.goal_response = GoalResponse::REJECT;
  EXPECT_EQ(send(3), nullptr);
  EXPECT_TRUE(keeper_.handles.empty());
}

TEST_F(ActionServers, DeferredGoalsBeginWhenTheServerSaysSo) {
  keeper_.goal_response = GoalResponse::ACCEPT_AND_DEFER;
  const auto [handle, goal] = accepted();
  EXPECT_FALSE(goal->is_executing());
  EXPECT_TRUE(goal->is_active());
  EXPECT_EQ(handle->get_status(), GoalStatus::STATUS_ACCEPTED);
  EXPECT_THROW(goal->succeed(result_of({})), rclcpp::exceptions::RCLError);
  goal->execute();
  EXPECT_TRUE(goal->is_executing());
  EXPECT_TRUE(has_status(handle, GoalStatus::STATUS_EXECUTING));
  EXPECT_THROW(goal->execute(), rclcpp::exceptions::RCLError);
  goal->succeed(result_of({1}));
  EXPECT_EQ(get(client_->async_get_result(handle)).code, ResultCode::SUCCEEDED);
}

TEST_F(ActionServers, GoalsEndOnceAndErrorsSayWhy) {
  const auto goal = accepted().second;
  EXPECT_THROW(goal->canceled(result_of({})), rclcpp::exceptions::RCLError);
  EXPECT_THROW(goal->succeed(nullptr), std::invalid_argument);
  EXPECT_THROW(goal->publish_feedback(nullptr), std::invalid_argument);
  EXPECT_TRUE(goal->is_executing());
  goal->abort(result_of({}));
  try {
    goal->succeed(result_of({}));
    FAIL() << "it has ended already";
  } catch (const rclcpp::exceptions::RCLError & error) {
    EXPECT_EQ(error.ret, RCL_RET_ACTION_GOAL_EVENT_INVALID);
    const std::string id = rclcpp_action::to_string(goal->get_goal_id());
    EXPECT_EQ(error.message,
              "action server '/ns/fibonacci': the goal " + id + " cannot be ended by succeed(), since it is ABORTED");
  }
}

TEST_F(ActionServers, CancellingMayBeRefused) {
  keeper_.cancel_response = CancelResponse::REJECT;
  const auto [handle, goal] = accepted();
  const auto answer = get(client_->async_cancel_goal(handle));
  EXPECT_EQ(answer->return_code, CancelAnswer::ERROR_REJECTED);
  EXPECT_TRUE(answer->goals_canceling.empty());
  EXPECT_TRUE(goal->is_executing());
}

TEST_F(ActionServers, CancellingSaysWhatIsUnknownAndWhatHasEnded) {
  CancelGoal::Request request;
  request.goal_info.goal_id.uuid.fill(9);
  EXPECT_EQ(call<CancelGoal>("cancel_goal", request).return_code, CancelAnswer::ERROR_UNKNOWN_GOAL_ID);
  const auto [handle, goal] = accepted();
  goal->succeed(result_of({}));
  EXPECT_EQ(get(client_->async_cancel_goal(handle))->return_code, CancelAnswer::ERROR_GOAL_TERMINATED);
  EXPECT_EQ(get(client_->async_cancel_all_goals())->return_code, CancelAnswer::ERROR_NONE);
}

TEST_F(ActionServers, CancelAllAndThoseBefore) {
  const auto first = accepted();
  const auto second = accepted();
  const rclcpp::Time between = second.first->get_goal_stamp();
  EXPECT_GT(between, first.first->get_goal_stamp());
  std::this_thread::sleep_for(1ms);
  const auto third = accepted();
  EXPECT_EQ(get(client_->async_cancel_goals_before(between))->goals_canceling.size(), 2u);
  EXPECT_TRUE(first.second->is_canceling() && second.second->is_canceling() && third.second->is_executing());
  const auto all = get(client_->async_cancel_all_goals());
  ASSERT_EQ(all->goals_canceling.size(), 1u);
  EXPECT_EQ(all->goals_canceling[0].goal_id.uuid, third.first->get_goal_id());
}

TEST_F(ActionServers, FeedbackReachesTheGoalThatItIsFor) {
  std::map<std::int32_t, std::vector<std::int32_t>> heard;
  std::vector<test::ClientHandle::SharedPtr> handles;
  for (std::int32_t order : {1, 2}) {
    test::Client::SendGoalOptions options;
    options.feedback_callback = [&heard, order](test::ClientHandle::SharedPtr handle,
                                                const std::shared_ptr<const Fibonacci::Feedback> feedback) {
      EXPECT_TRUE(handle->is_feedback_aware());
      heard[order].push_back(feedback->sequence.back());
    };
    handles.push_back(send(order, options));
  }
  ASSERT_TRUE(spin_until([&] { return keeper_.handles.size() == 2; }));
  for (std::int32_t i = 0; i < 8; ++i) {
    auto feedback = std::make_shared<Fibonacci::Feedback>();
    const auto & goal = keeper_.handles[static_cast<std::size_t>(i % 2)];
    feedback->sequence.assign(3, 10 * goal->get_goal()->order + i);
    goal->publish_feedback(feedback);
  }
  EXPECT_TRUE(spin_until([&] { return heard[1].size() == 4 && heard[2].size() == 4; }));
  EXPECT_EQ(heard[1], (std::vector<std::int32_t>{10, 12, 14, 16}));
  EXPECT_EQ(heard[2], (std::vector<std::int32_t>{21, 23, 25, 27}));
}

TEST_F(ActionServers, StatusIsThereForThoseWhoComeLate) {
  const auto [handle, goal] = accepted();
  const auto id = handle->get_goal_id();
  StatusArray last;
  const auto late =
      node_->create_subscription<StatusArray>("fibonacci/_action/status", rclcpp_action::DefaultActionStatusQoS(),
                                              [&last](const StatusArray & message) { last = message; });
  EXPECT_TRUE(spin_until([&] {
    return last.status_list.size() == 1 && last.status_list[0].status == GoalStatus::STATUS_EXECUTING &&
           last.status_list[0].goal_info.goal_id.uuid == id;
  }));
  EXPECT_EQ(rclcpp::Time(last.status_list[0].goal_info.stamp), handle->get_goal_stamp());
  goal->succeed(result_of({}));
  EXPECT_TRUE(spin_until([&] { return last.status_list[0].status == GoalStatus::STATUS_SUCCEEDED; }));
}

TEST_F(ActionServers, GoalsWhoseHandleGoesEndAsCancelled) {
  auto [handle, goal] = accepted();
  auto result = client_->async_get_result(handle);
  keeper_.handles.clear();
  goal.reset();
  EXPECT_EQ(get(result).code, ResultCode::CANCELED);
  EXPECT_TRUE(result.get().result->sequence.empty());

  keeper_.goal_response = GoalResponse::ACCEPT_AND_DEFER;
  std::tie(handle, goal) = accepted();
  result = client_->async_get_result(handle);
  keeper_.handles.clear();
  goal.reset();
  EXPECT_EQ(get(result).code, ResultCode::CANCELED);
}

TEST_F(ActionServers, AGoalIdSentTwiceIsRejectedTheSecondTime) {
  EXPECT_TRUE(call<SendGoal>("send_goal", goal_request(1)).accepted);
  EXPECT_FALSE(call<SendGoal>("send_goal", goal_request(1)).accepted);
  EXPECT_EQ(keeper_.asked, 1u);
  keeper_.handles.at(0)->succeed(result_of({4}));
  EXPECT_FALSE(call<SendGoal>("send_goal", goal_request(1)).accepted);
  EXPECT_EQ(call<GetResult>("get_result", result_request(goal_request(1).goal_id.uuid)).status,
            GoalStatus::STATUS_SUCCEEDED);
  EXPECT_TRUE(call<SendGoal>("send_goal", goal_request(2)).accepted);
}

TEST_F(ActionServers, ResultsOfUnknownGoalsAreUnknown) {
  rclcpp_action::GoalUUID id;
  id.fill(77);
  const auto response = call<GetResult>("get_result", result_request(id));
  EXPECT_EQ(response.status, GoalStatus::STATUS_UNKNOWN);
  EXPECT_TRUE(response.result.sequence.empty());
}

TEST_F(ActionServers, ResultsMayBeAskedForManyTimesUntilTheyExpire) {
  server_.reset();
  auto options = rcl_action_server_get_default_options();
  options.result_timeout.nanoseconds = RCL_MS_TO_NS(1500);
  server_ = keeper_.serve(node_, "fibonacci", options);
  const auto id = goal_request(5).goal_id.uuid;
  ASSERT_TRUE(call<SendGoal>("send_goal", goal_request(5)).accepted);
  StatusArray last;
  const auto statuses =
      node_->create_subscription<StatusArray>("fibonacci/_action/status", rclcpp_action::DefaultActionStatusQoS(),
                                              [&last](const StatusArray & message) { last = message; });
  keeper_.handles.at(0)->succeed(result_of({5}));
  for (int i = 0; i < 3; ++i) {
    const auto response = call<GetResult>("get_result", result_request(id));
    if (response.status == GoalStatus::STATUS_UNKNOWN) break;  // on a machine that is very slow
    EXPECT_EQ(response.status, GoalStatus::STATUS_SUCCEEDED);
    EXPECT_EQ(response.result.sequence.at(0), 5);
  }
  EXPECT_TRUE(spin_until(
      [&] { return call<GetResult>("get_result", result_request(id)).status == GoalStatus::STATUS_UNKNOWN; }));
  // Forgotten, so the id is free again, and the status does not list it.
  ASSERT_TRUE(call<SendGoal>("send_goal", goal_request(5)).accepted);
  EXPECT_TRUE(spin_until(
      [&] { return last.status_list.size() == 1 && last.status_list[0].status == GoalStatus::STATUS_EXECUTING; }));
}

TEST_F(ActionServers, GoalHandlesOutliveTheServer) {
  auto [handle, goal] = accepted();
  const auto result = client_->async_get_result(handle);
  server_.reset();
  goal->publish_feedback(std::make_shared<Fibonacci::Feedback>());
  goal->succeed(result_of({}));
  EXPECT_FALSE(goal->is_active());
  EXPECT_THROW(goal->abort(result_of({})), rclcpp::exceptions::RCLError);
  EXPECT_TRUE(spin_until([&] { return !client_->action_server_is_ready(); }));
  server_ = keeper_.serve(node_, "fibonacci");
  EXPECT_TRUE(client_->wait_for_action_server(test::kPatience));
  accepted().second->succeed(result_of({}));
  EXPECT_NE(result.wait_for(0s), std::future_status::ready);
}

TEST_F(ActionServers, ServersOutliveTheirNode) {
  auto other = std::make_shared<rclcpp::Node>("other");
  auto server = keeper_.serve(other, "other");
  std::weak_ptr<rclcpp::Node> weak = other;
  other.reset();
  EXPECT_TRUE(weak.expired());
  server.reset();
}

TEST_F(ActionServers, AreMadeOfInterfacesAndOfSubNodesAndRemapped) {
  const auto sub_node = node_->create_sub_node("sub");
  const auto in_sub_node = keeper_.serve(sub_node, "fibonacci");
  const auto remapped = std::make_shared<rclcpp::Node>(
      "remapped", rclcpp::NodeOptions().arguments({"--ros-args", "-r", "fibonacci:=/other"}));
  const auto server = rclcpp_action::create_server<Fibonacci>(
      remapped->get_node_base_interface(), remapped->get_node_clock_interface(), remapped->get_node_logging_interface(),
      remapped->get_node_waitables_interface(), "fibonacci",
      [](const rclcpp_action::GoalUUID &, std::shared_ptr<const Fibonacci::Goal>) { return GoalResponse::REJECT; },
      [](std::shared_ptr<ServerHandle>) { return CancelResponse::REJECT; }, [](std::shared_ptr<ServerHandle>) {});
  const auto client = rclcpp_action::create_client<Fibonacci>(
      node_->get_node_base_interface(), node_->get_node_graph_interface(), node_->get_node_logging_interface(),
      node_->get_node_waitables_interface(), "/other");
  EXPECT_TRUE(client->wait_for_action_server(test::kPatience));
}

TEST_F(ActionServers, RefuseWhatMakesNoSense) {
  const auto goal = [](const rclcpp_action::GoalUUID &, std::shared_ptr<const Fibonacci::Goal>) {
    return GoalResponse::REJECT;
  };
  const auto cancel = [](std::shared_ptr<ServerHandle>) { return CancelResponse::REJECT; };
  const auto accepted = [](std::shared_ptr<ServerHandle>) {};
  EXPECT_THROW(rclcpp_action::create_server<Fibonacci>(node_, "a", nullptr, cancel, accepted), std::invalid_argument);
  EXPECT_THROW(rclcpp_action::create_server<Fibonacci>(node_, "a", goal, nullptr, accepted), std::invalid_argument);
  EXPECT_THROW(rclcpp_action::create_server<Fibonacci>(node_, "a", goal, cancel, nullptr), std::invalid_argument);
  EXPECT_THROW(rclcpp_action::create_server<Fibonacci>(node_, "a b", goal, cancel, accepted),
               rclcpp::exceptions::InvalidServiceNameError);
  auto options = rcl_action_server_get_default_options();
  options.result_timeout.nanoseconds = -1;
  EXPECT_THROW(rclcpp_action::create_server<Fibonacci>(node_, "a", goal, cancel, accepted, options),
               std::invalid_argument);
  const auto group =
      std::make_shared<rclcpp::Node>("other")->create_callback_group(rclcpp::CallbackGroupType::MutuallyExclusive);
  EXPECT_THROW(rclcpp_action::create_server<Fibonacci>(node_, "a", goal, cancel, accepted,
                                                       rcl_action_server_get_default_options(), group),
               rclcpp::exceptions::MissingGroupNodeException);
}

TEST_F(ActionServers, TellOfTheirCalls) {
  using Event = SendGoal::Event;
  std::vector<std::uint8_t> kinds;
  const auto events = node_->create_subscription<Event>(
      "fibonacci/_action/send_goal/_service_event", 10, [&kinds](const Event & event) {
        kinds.push_back(event.info.event_type);
        if (event.info.event_type == service_msgs::msg::ServiceEventInfo::REQUEST_RECEIVED) {
          ASSERT_EQ(event.request.size(), 1u);
          EXPECT_EQ(event.request[0].goal.order, 6);
        }
      });
  server_->configure_introspection(node_->get_clock(), rclcpp::SystemDefaultsQoS(), RCL_SERVICE_INTROSPECTION_CONTENTS);
  client_->configure_introspection(node_->get_clock(), rclcpp::SystemDefaultsQoS(), RCL_SERVICE_INTROSPECTION_METADATA);
  ASSERT_TRUE(test::eventually([&] { return events->get_publisher_count() == 2; }));
  send(6);
  EXPECT_TRUE(spin_until([&] { return kinds.size() == 4; }));
}

}  // namespace
