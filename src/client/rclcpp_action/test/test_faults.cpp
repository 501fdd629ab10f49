// Actions whose other end is killed, and many goals, under several threads.
#include "actions.hpp"

#include <malloc.h>
#include <sys/stat.h>

#include <algorithm>
#include <atomic>
#include <cstdlib>
#include <filesystem>
#include <map>
#include <thread>

#include "other_process.hpp"

using namespace std::chrono_literals;
using test::CancelResponse;
using test::Fibonacci;
using test::goal_of;
using test::GoalResponse;
using test::GoalStatus;
using test::result_of;
using test::ResultCode;
using test::ServerHandle;
using Handle = test::ClientHandle::SharedPtr;

namespace {

/// A server that executes each goal before it returns: those of an odd order end as cancelled, since nobody keeps them.
test::Server::SharedPtr serve_at_once(
    const rclcpp::Node::SharedPtr & node, const std::string & action, const rclcpp::CallbackGroup::SharedPtr & group,
    const rcl_action_server_options_t & options = rcl_action_server_get_default_options()) {
  return rclcpp_action::create_server<Fibonacci>(
      node, action,
      [](const rclcpp_action::GoalUUID &, std::shared_ptr<const Fibonacci::Goal>) {
        return GoalResponse::ACCEPT_AND_EXECUTE;
      },
      [](std::shared_ptr<ServerHandle>) { return CancelResponse::ACCEPT; },
      [](std::shared_ptr<ServerHandle> goal) {
        goal->publish_feedback(std::make_shared<Fibonacci::Feedback>());
        if (goal->get_goal()->order % 2 == 0) goal->succeed(result_of({goal->get_goal()->order}));
      },
      options, group);
}

bool has_services(const rclcpp::Node & node, const std::string & action) {
  const auto services = node.get_service_names_and_types();
  return std::any_of(services.begin(), services.end(), [prefix = "/" + action + "/"](const auto & service) {
    return service.first.rfind(prefix, 0) == 0;
  });
}

/// Bytes that this process has of its own and in its shared memory.
std::size_t memory_in_use() {
  std::size_t bytes = mallinfo2().uordblks;
  for (const auto & file : std::filesystem::recursive_directory_iterator(std::getenv("TANDEM_SHM_DIR"))) {
    struct stat status {};
    if (stat(file.path().c_str(), &status) == 0) bytes += static_cast<std::size_t>(status.st_blocks) * 512;
  }
  return bytes;
}

/// What runs in processes of their own.
class DISABLED_Peers : public test::WithNode {};

/// Accepts goals and never ends them.
TEST_F(DISABLED_Peers, Server) {
  test::Keeper keeper;
  const auto server = keeper.serve(node_, "killed");
  executor_->spin();
}

/// Sends a goal, asks for its result and hears its feedback.
TEST_F(DISABLED_Peers, Client) {
  const auto client = rclcpp_action::create_client<Fibonacci>(node_, "fibonacci");
  client->wait_for_action_server();
  test::Client::SendGoalOptions options;
  options.feedback_callback = [](Handle, const std::shared_ptr<const Fibonacci::Feedback>) {};
  options.result_callback = [](const test::ClientHandle::WrappedResult &) {};
  const auto handle = client->async_send_goal(goal_of(1), options);
  executor_->spin();
}

class ActionFaults : public test::WithAction {};

TEST_F(ActionFaults, AServerThatIsKilledWithinAGoalIsGoneAndItsSuccessorServes) {
  const auto client = rclcpp_action::create_client<Fibonacci>(node_, "killed");
  {
    test::OtherProcess server("DISABLED_Peers.Server");
    ASSERT_TRUE(client->wait_for_action_server(test::kPatience));
    const auto handle = get(client->async_send_goal(goal_of(1)));
    ASSERT_NE(handle, nullptr);
    const auto result = client->async_get_result(handle);
    server.kill();
    EXPECT_TRUE(spin_until([&] { return !client->action_server_is_ready(); }));
    EXPECT_EQ(result.wait_for(0s), std::future_status::timeout);  // nobody knows how it ends
  }
  const auto successor = keeper_.serve(node_, "killed");
  ASSERT_TRUE(client->wait_for_action_server(test::kPatience));
  const auto handle = get(client->async_send_goal(goal_of(1)));
  ASSERT_TRUE(spin_until([&] { return keeper_.handles.size() == 1; }));
  keeper_.handles[0]->succeed(result_of({1}));
  EXPECT_EQ(get(client->async_get_result(handle)).code, ResultCode::SUCCEEDED);
}

TEST_F(ActionFaults, AClientThatIsKilledLeavesTheServerToOthers) {
  {
    test::OtherProcess client("DISABLED_Peers.Client");
    ASSERT_TRUE(spin_until([&] { return keeper_.handles.size() == 1; }));
    keeper_.handles[0]->publish_feedback(std::make_shared<Fibonacci::Feedback>());
  }
  for (int i = 0; i < 20; ++i) keeper_.handles[0]->publish_feedback(std::make_shared<Fibonacci::Feedback>());
  keeper_.handles[0]->succeed(result_of({1}));
  const auto [handle, goal] = accepted();
  goal->succeed(result_of({2}));
  EXPECT_EQ(get(client_->async_get_result(handle)).result->sequence.at(0), 2);
}

TEST_F(ActionFaults, HundredsOfGoalsAtOnceAllHaveTheirResults) {
  constexpr std::size_t kGoals = 200;
  std::vector<std::shared_future<Handle>> sent;
  std::map<std::int32_t, std::int32_t> results;
  for (std::size_t i = 0; i < kGoals; ++i) {
    const auto order = static_cast<std::int32_t>(i);
    test::Client::SendGoalOptions options;
    options.result_callback = [&results, order](const test::ClientHandle::WrappedResult & result) {
      EXPECT_EQ(result.code, ResultCode::SUCCEEDED);
      results[order] = result.result->sequence.at(0);
    };
    sent.push_back(client_->async_send_goal(goal_of(order), options));
    if (i % 16 == 15) executor_->spin_some();  // a middleware may keep no more than some requests
  }
  ASSERT_TRUE(spin_until([&] { return keeper_.handles.size() == kGoals; }));
  ASSERT_TRUE(spin_until([&] { return sent.back().wait_for(0s) == std::future_status::ready; }));
  for (std::size_t i = 0; i < kGoals; ++i) {
    const auto & goal = keeper_.handles[kGoals - 1 - i];
    goal->succeed(result_of({2 * goal->get_goal()->order}));
    if (i % 16 == 15) executor_->spin_some();
  }
  ASSERT_TRUE(spin_until([&] { return results.size() == kGoals; }));
  for (const auto & [order, number] : results) EXPECT_EQ(number, 2 * order);
}

TEST_F(ActionFaults, EachWayAGoalEndsInARaceIsToldToAll) {
  std::thread spinning([this] { executor_->spin(); });
  keeper_.handles.clear();
  server_.reset();
  std::vector<std::thread> threads;
  const auto server = rclcpp_action::create_server<Fibonacci>(
      node_, "fibonacci",
      [](const rclcpp_action::GoalUUID &, std::shared_ptr<const Fibonacci::Goal>) {
        return GoalResponse::ACCEPT_AND_EXECUTE;
      },
      [](std::shared_ptr<ServerHandle>) { return CancelResponse::ACCEPT; },
      [&](std::shared_ptr<ServerHandle> goal) {
        threads.emplace_back([goal] {
          for (int i = 0; i < goal->get_goal()->order; ++i) {
            if (goal->is_canceling()) return goal->canceled(result_of({}));
            std::this_thread::sleep_for(50us);
          }
          goal->succeed(result_of({}));
        });
      });
  ASSERT_TRUE(client_->wait_for_action_server(test::kPatience));
  std::map<ResultCode, int> ends;
  for (int i = 0; i < 200; ++i) {
    const auto handle = client_->async_send_goal(goal_of(i % 20)).get();
    ASSERT_NE(handle, nullptr);
    const auto result = client_->async_get_result(handle);
    std::this_thread::sleep_for(std::chrono::microseconds(30 * (i % 20)));
    bool is_cancelling = false;
    try {
      is_cancelling = client_->async_cancel_goal(handle).get()->goals_canceling.size() == 1;
    } catch (const rclcpp_action::exceptions::UnknownGoalHandleError &) {  // its result has come
    }
    const auto code = result.get().code;
    ++ends[code];
    if (code == ResultCode::CANCELED) {
      EXPECT_TRUE(is_cancelling);
    }
  }
  EXPECT_EQ(ends[ResultCode::CANCELED] + ends[ResultCode::SUCCEEDED], 200);
  executor_->cancel();
  spinning.join();
  for (auto & thread : threads) thread.join();
}

TEST_F(ActionFaults, TenThousandGoalsLeaveNothingBehind) {
  server_.reset();
  auto options = rcl_action_server_get_default_options();
  options.result_timeout.nanoseconds = RCL_MS_TO_NS(50);
  server_ = serve_at_once(node_, "fibonacci", nullptr, options);
  ASSERT_TRUE(client_->wait_for_action_server(test::kPatience));
  test::Client::SendGoalOptions send_options;
  send_options.feedback_callback = [](Handle, const std::shared_ptr<const Fibonacci::Feedback>) {};
  const auto execute = [&](int goals) {
    for (int i = 0; i < goals; ++i) {
      const auto handle = send(i, send_options);
      ASSERT_NE(handle, nullptr);
      const auto result = get(client_->async_get_result(handle));
      ASSERT_TRUE(result.code == (i % 2 == 0 ? ResultCode::SUCCEEDED : ResultCode::CANCELED) ||
                  result.code == ResultCode::UNKNOWN);  // it had expired before it was asked for: a slow machine
    }
  };
  execute(2000);
  const std::size_t before = memory_in_use();
  execute(10000);
  EXPECT_LT(memory_in_use(), before + (1u << 20));
}

/// Clients and servers come and go while their goals are executed and their callbacks run.
TEST_F(ActionFaults, ServersAndClientsMayGoAtAnyMoment) {
  rclcpp::executors::MultiThreadedExecutor several({}, 4);
  const auto node = std::make_shared<rclcpp::Node>("busy");
  several.add_node(node);
  std::thread spinning([&] { several.spin(); });
  const auto group = node->create_callback_group(rclcpp::CallbackGroupType::Reentrant);
  std::vector<std::thread> threads;
  std::atomic<int> results{0};
  for (int t = 0; t < 3; ++t) {
    threads.emplace_back([&, name = "action" + std::to_string(t)] {
      for (int i = 0; i < 15; ++i) {
        auto server = serve_at_once(node, name, group);
        auto client = rclcpp_action::create_client<Fibonacci>(node, name, group);
        if (!client->wait_for_action_server(test::kPatience)) continue;
        test::Client::SendGoalOptions options;
        options.feedback_callback = [](Handle handle, const std::shared_ptr<const Fibonacci::Feedback>) {
          handle->get_status();
        };
        options.result_callback = [&](const test::ClientHandle::WrappedResult &) { ++results; };
        for (int goal = 0; goal < 8; ++goal) client->async_send_goal(goal_of(goal), options);
        if (i % 2 == 0) client.reset();
        server.reset();
        client.reset();
      }
      // One that stays gets all its results. A callback that runs holds the service that it belongs to: a goal may not
      // be sent to a server of before, which nobody executes.
      ASSERT_TRUE(test::eventually([&] { return !has_services(*node, name); }));
      const auto server = serve_at_once(node, name, group);
      auto client = rclcpp_action::create_client<Fibonacci>(node, name, group);
      ASSERT_TRUE(client->wait_for_action_server(test::kPatience));
      for (int goal = 0; goal < 8; ++goal) {
        const auto handle = client->async_send_goal(goal_of(goal)).get();
        EXPECT_EQ(client->async_get_result(handle).get().code,
                  goal % 2 == 0 ? ResultCode::SUCCEEDED : ResultCode::CANCELED);
      }
    });
  }
  for (auto & thread : threads) thread.join();
  several.cancel();
  spinning.join();
}

}  // namespace
