// An action server and a client of it in one node.
#pragma once

#include <memory>
#include <mutex>
#include <string>
#include <utility>
#include <vector>

#include "example_interfaces/action/fibonacci.hpp"
#include "rclcpp_action/rclcpp_action.hpp"
#include "support.hpp"

namespace test {

using example_interfaces::action::Fibonacci;
using ServerHandle = rclcpp_action::ServerGoalHandle<Fibonacci>;
using Client = rclcpp_action::Client<Fibonacci>;
using ClientHandle = rclcpp_action::ClientGoalHandle<Fibonacci>;
using Server = rclcpp_action::Server<Fibonacci>;
using rclcpp_action::CancelResponse;
using rclcpp_action::GoalResponse;
using rclcpp_action::GoalStatus;
using rclcpp_action::ResultCode;
using CancelAnswer = action_msgs::srv::CancelGoal::Response;

inline std::shared_ptr<Fibonacci::Result> result_of(const std::vector<std::int32_t> & numbers) {
  auto result = std::make_shared<Fibonacci::Result>();
  result->sequence.assign(numbers.begin(), numbers.end());
  return result;
}

inline std::vector<std::int32_t> numbers_of(const Fibonacci::Result & result) {
  return {result.sequence.begin(), result.sequence.end()};
}

inline Fibonacci::Goal goal_of(std::int32_t order) {
  Fibonacci::Goal goal;
  goal.order = order;
  return goal;
}

/// A server that keeps the handles of the goals that it accepts.
struct Keeper {
  GoalResponse goal_response = GoalResponse::ACCEPT_AND_EXECUTE;
  CancelResponse cancel_response = CancelResponse::ACCEPT;
  std::size_t asked = 0;
  std::vector<std::shared_ptr<ServerHandle>> handles;

  template <class NodeT>
  Server::SharedPtr serve(NodeT node, const std::string & action,
                          const rcl_action_server_options_t & options = rcl_action_server_get_default_options(),
                          rclcpp::CallbackGroup::SharedPtr group = nullptr) {
    return rclcpp_action::create_server<Fibonacci>(
        node, action,
        [this](const rclcpp_action::GoalUUID &, std::shared_ptr<const Fibonacci::Goal>) {
          ++asked;
          return goal_response;
        },
        [this](std::shared_ptr<ServerHandle>) { return cancel_response; },
        [this](std::shared_ptr<ServerHandle> handle) { handles.push_back(std::move(handle)); }, options, group);
  }
};

class WithAction : public WithNode {
 protected:
  void SetUp() override {
    WithNode::SetUp();
    server_ = keeper_.serve(node_, "fibonacci");
    client_ = rclcpp_action::create_client<Fibonacci>(node_, "fibonacci");
    ASSERT_TRUE(client_->wait_for_action_server(kPatience));
  }
  void TearDown() override {
    keeper_.handles.clear();
    client_.reset();
    server_.reset();
    WithNode::TearDown();
  }

  /// What a future holds, once the executor has brought it.
  template <class FutureT>
  auto get(FutureT future) {
    EXPECT_EQ(executor_->spin_until_future_complete(future, kPatience), rclcpp::FutureReturnCode::SUCCESS);
    return future.get();
  }
  ClientHandle::SharedPtr send(std::int32_t order, const Client::SendGoalOptions & options = {}) {
    return get(client_->async_send_goal(goal_of(order), options));
  }
  /// Sends a goal. \return what the client has, and what the server has.
  std::pair<ClientHandle::SharedPtr, std::shared_ptr<ServerHandle>> accepted(std::int32_t order = 3) {
    const auto before = keeper_.handles.size();
    auto handle = send(order);
    EXPECT_TRUE(spin_until([&] { return keeper_.handles.size() > before; }));
    return {handle, keeper_.handles.back()};
  }
  bool has_status(const ClientHandle::SharedPtr & handle, std::int8_t status) {
    return spin_until([&] { return handle->get_status() == status; });
  }

  Keeper keeper_;
  Server::SharedPtr server_;
  Client::SharedPtr client_;
};

}  // namespace test
