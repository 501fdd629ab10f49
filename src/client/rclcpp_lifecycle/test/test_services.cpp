// The services of lifecycle nodes: in every executor, and with nodes that are killed.
#include <atomic>
#include <set>
#include <thread>

#include "lifecycle_msgs/srv/change_state.hpp"
#include "lifecycle_msgs/srv/get_available_states.hpp"
#include "lifecycle_msgs/srv/get_available_transitions.hpp"
#include "lifecycle_msgs/srv/get_state.hpp"
#include "managed_node.hpp"
#include "other_process.hpp"
#include "rclcpp/experimental/executors/events_executor/events_executor.hpp"

using namespace lifecycle_msgs::srv;  // NOLINT: of lifecycle nodes
using test::CallbackReturn;
using test::ManagedNode;
using test::StateId;
using test::TransitionId;

namespace {

/// Asks "/managed", while node and executor of its own run in this thread.
class Asking {
 public:
  Asking() { executor_.add_node(node_); }

  template <class Service>
  std::shared_ptr<typename Service::Response> ask(
      const std::string & name, const typename Service::Request & request = typename Service::Request()) {
    const auto client = node_->create_client<Service>("/managed/" + name);
    EXPECT_TRUE(client->wait_for_service(test::kPatience));
    auto future = client->async_send_request(std::make_shared<typename Service::Request>(request));
    EXPECT_EQ(executor_.spin_until_future_complete(future, test::kPatience), rclcpp::FutureReturnCode::SUCCESS);
    return future.get();
  }
  bool change(std::uint8_t id, const std::string & label = "") {
    ChangeState::Request request;
    request.transition.id = id;
    request.transition.label = label;
    return ask<ChangeState>("change_state", request)->success;
  }
  std::string state() { return ask<GetState>("get_state")->current_state.label.c_str(); }

  rclcpp::Node::SharedPtr node() { return node_; }
  rclcpp::Executor & executor() { return executor_; }

 private:
  rclcpp::Node::SharedPtr node_ = std::make_shared<rclcpp::Node>("asking");
  rclcpp::executors::SingleThreadedExecutor executor_;
};

/// "/managed", served by an executor in a thread of its own.
template <class ExecutorT>
class LifecycleServices : public test::Rclcpp {
 protected:
  void SetUp() override {
    Rclcpp::SetUp();
    managed_ = std::make_shared<ManagedNode>("managed");
    executor_ = std::make_unique<ExecutorT>();
    executor_->add_node(managed_->get_node_base_interface());
    thread_ = std::thread([this] { executor_->spin(); });
    asking_ = std::make_unique<Asking>();
  }
  void TearDown() override {
    asking_.reset();
    rclcpp::shutdown();
    thread_.join();
    executor_.reset();
    managed_.reset();
  }

  std::shared_ptr<ManagedNode> managed_;
  std::unique_ptr<ExecutorT> executor_;
  std::thread thread_;
  std::unique_ptr<Asking> asking_;
};

using Executors =
    testing::Types<rclcpp::executors::SingleThreadedExecutor, rclcpp::executors::MultiThreadedExecutor,
                   rclcpp::executors::StaticSingleThreadedExecutor, rclcpp::experimental::executors::EventsExecutor>;
TYPED_TEST_SUITE(LifecycleServices, Executors);

TYPED_TEST(LifecycleServices, TellTheStateAndChangeIt) {
  EXPECT_EQ(this->asking_->state(), "unconfigured");
  EXPECT_TRUE(this->asking_->change(TransitionId::TRANSITION_CONFIGURE));
  EXPECT_EQ(this->asking_->state(), "inactive");
  EXPECT_TRUE(this->asking_->change(TransitionId::TRANSITION_ACTIVATE));
  EXPECT_TRUE(this->asking_->change(TransitionId::TRANSITION_DEACTIVATE));
  EXPECT_TRUE(this->asking_->change(TransitionId::TRANSITION_CLEANUP));
  EXPECT_EQ(this->asking_->state(), "unconfigured");
  EXPECT_TRUE(this->asking_->change(TransitionId::TRANSITION_UNCONFIGURED_SHUTDOWN));
  EXPECT_EQ(this->asking_->template ask<GetState>("get_state")->current_state.id, StateId::PRIMARY_STATE_FINALIZED);
}

TYPED_TEST(LifecycleServices, TakeTheLabelIfThereIsOne) {
  EXPECT_TRUE(this->asking_->change(0, "configure"));
  EXPECT_TRUE(this->asking_->change(TransitionId::TRANSITION_CLEANUP, "activate"));
  EXPECT_EQ(this->asking_->state(), "active");
  EXPECT_FALSE(this->asking_->change(TransitionId::TRANSITION_DEACTIVATE, "no such label"));
  EXPECT_FALSE(this->asking_->change(0, "transition_success"));
  EXPECT_EQ(this->asking_->state(), "active");
  EXPECT_TRUE(this->asking_->change(0, "shutdown"));
  EXPECT_EQ(this->asking_->state(), "finalized");
}

TYPED_TEST(LifecycleServices, SayWhatDidNotSucceed) {
  this->managed_->deeds = {{"configure", [] { return CallbackReturn::FAILURE; }},
                           {"shutdown", []() -> CallbackReturn { throw std::runtime_error("as the test wants"); }},
                           {"error", [] { return CallbackReturn::FAILURE; }}};
  EXPECT_FALSE(this->asking_->change(TransitionId::TRANSITION_ACTIVATE));
  EXPECT_FALSE(this->asking_->change(255));
  EXPECT_EQ(this->managed_->calls().size(), 0u);
  EXPECT_FALSE(this->asking_->change(TransitionId::TRANSITION_CONFIGURE));
  EXPECT_EQ(this->asking_->state(), "unconfigured");
  EXPECT_FALSE(this->asking_->change(TransitionId::TRANSITION_UNCONFIGURED_SHUTDOWN));
  EXPECT_EQ(this->asking_->state(), "finalized");
}

TYPED_TEST(LifecycleServices, ListStatesAndTransitions) {
  const auto states = this->asking_->template ask<GetAvailableStates>("get_available_states")->available_states;
  ASSERT_EQ(states.size(), 11u);
  EXPECT_STREQ(states[10].label.c_str(), "errorprocessing");
  const auto texts = [&](const char * service) {
    std::set<std::string> all;
    const auto response = this->asking_->template ask<GetAvailableTransitions>(service);
    for (const auto & description : response->available_transitions) {
      all.insert(std::to_string(description.transition.id) + " " + description.transition.label.c_str() + " " +
                 description.start_state.label.c_str() + " " + description.goal_state.label.c_str());
    }
    return all;
  };
  EXPECT_EQ(texts("get_available_transitions"),
            (std::set<std::string>{"1 configure unconfigured configuring", "5 shutdown unconfigured shuttingdown"}));
  const auto graph = texts("get_transition_graph");
  EXPECT_EQ(graph.size(), 25u);
  EXPECT_EQ(graph.count("61 transition_failure errorprocessing finalized"), 1u);
  this->asking_->change(TransitionId::TRANSITION_CONFIGURE);
  EXPECT_EQ(texts("get_available_transitions").size(), 3u);
}

TYPED_TEST(LifecycleServices, AnswerManyWhoAskForTheSame) {
  constexpr int kClients = 3;
  std::atomic<int> successes{0};
  std::vector<std::thread> threads;
  for (int i = 0; i < kClients; ++i) {
    threads.emplace_back([&, i] {
      const auto node = std::make_shared<rclcpp::Node>("asking_" + std::to_string(i));
      const auto client = node->create_client<ChangeState>("/managed/change_state");
      ASSERT_TRUE(client->wait_for_service(test::kPatience));
      auto request = std::make_shared<ChangeState::Request>();
      request->transition.id = TransitionId::TRANSITION_CONFIGURE;
      auto future = client->async_send_request(request);
      rclcpp::executors::SingleThreadedExecutor executor;
      executor.add_node(node);
      ASSERT_EQ(executor.spin_until_future_complete(future, test::kPatience), rclcpp::FutureReturnCode::SUCCESS);
      successes += future.get()->success;
    });
  }
  for (auto & thread : threads) thread.join();
  EXPECT_EQ(successes, 1);
  EXPECT_EQ(this->asking_->state(), "inactive");
}

/// Never ends a transition that it began.
TEST(AnotherProcess, DISABLED_StaysInConfigure) {
  rclcpp::init(0, nullptr);
  const auto node = std::make_shared<ManagedNode>("managed");
  // Kept for a reader that the middleware has not matched yet.
  const auto begun =
      rclcpp::create_publisher<lifecycle_msgs::msg::State>(node, "/begun", rclcpp::QoS(1).transient_local());
  node->deeds["configure"] = [begun] {
    begun->publish(lifecycle_msgs::msg::State());
    for (;;) std::this_thread::sleep_for(std::chrono::seconds(1));
    return CallbackReturn::SUCCESS;
  };
  rclcpp::spin(node->get_node_base_interface());
}

class KilledNodes : public test::Rclcpp {};

TEST_F(KilledNodes, LeaveNoAnswerAndTheNextOneServes) {
  Asking asking;
  test::OtherProcess other("AnotherProcess.DISABLED_StaysInConfigure");
  const auto client = asking.node()->create_client<ChangeState>("/managed/change_state");
  ASSERT_TRUE(client->wait_for_service(test::kPatience));
  bool has_begun = false;
  const auto begun = asking.node()->create_subscription<lifecycle_msgs::msg::State>(
      "/begun", rclcpp::QoS(1).transient_local(),
      [&](lifecycle_msgs::msg::State::ConstSharedPtr) { has_begun = true; });
  auto request = std::make_shared<ChangeState::Request>();
  request->transition.id = TransitionId::TRANSITION_CONFIGURE;
  auto future = client->async_send_request(request);
  ASSERT_TRUE(test::spin_until(asking.executor(), [&] { return has_begun; }));
  other.kill();
  EXPECT_TRUE(test::spin_until(asking.executor(), [&] { return !client->service_is_ready(); }));
  EXPECT_EQ(future.wait_for(std::chrono::seconds(0)), std::future_status::timeout);
  EXPECT_TRUE(client->remove_pending_request(future));

  const auto next = std::make_shared<ManagedNode>("managed");
  asking.executor().add_node(next->get_node_base_interface());
  EXPECT_EQ(asking.state(), "unconfigured");
  EXPECT_TRUE(asking.change(TransitionId::TRANSITION_CONFIGURE));
  EXPECT_EQ(asking.state(), "inactive");
}

}  // namespace
