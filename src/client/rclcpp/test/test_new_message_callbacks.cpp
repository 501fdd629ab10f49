// Callbacks for new messages, requests and responses, and for resets of timers.
#include "support.hpp"

#include <atomic>
#include <stdexcept>

#include "example_interfaces/srv/add_two_ints.hpp"

using namespace std::chrono_literals;
using example_interfaces::srv::AddTwoInts;
using test::Block;
using test::eventually;
using NewMessageCallbacks = test::WithNode;

namespace {

const auto kIgnore = [](std::shared_ptr<const Block>) {};

void publish(rclcpp::Publisher<Block> & publisher, int count) {
  static Block block;
  for (int i = 0; i < count; ++i) {
    ++block.index;
    publisher.publish(block);
  }
}

}  // namespace

TEST_F(NewMessageCallbacks, CountEachMessage) {
  const auto publisher = node_->create_publisher<Block>("topic", 10);
  const auto subscription = node_->create_subscription<Block>("topic", 10, kIgnore);
  ASSERT_TRUE(matched(publisher));
  std::atomic<size_t> first{0};
  subscription->set_on_new_message_callback([&](size_t count) { first += count; });
  EXPECT_EQ(first, 0u);
  publish(*publisher, 3);
  EXPECT_TRUE(eventually([&] { return first == 3; }));

  std::atomic<size_t> second{0};
  subscription->set_on_new_message_callback([&](size_t count) { second += count; });
  publish(*publisher, 1);
  EXPECT_TRUE(eventually([&] { return second == 1; }));
  EXPECT_EQ(first, 3u);

  subscription->clear_on_new_message_callback();
  publish(*publisher, 3);
  std::atomic<size_t> third{0};
  subscription->set_on_new_message_callback([&](size_t count) { third += count; });
  EXPECT_TRUE(eventually([&] { return third == 3; }));
  EXPECT_EQ(second, 1u);
  EXPECT_THROW(subscription->set_on_new_message_callback(nullptr), std::invalid_argument);
}

TEST_F(NewMessageCallbacks, AreToldWhatWasThereBefore) {
  const auto publisher = node_->create_publisher<Block>("topic", 10);
  const auto subscription = node_->create_subscription<Block>("topic", 10, kIgnore);
  ASSERT_TRUE(matched(publisher));
  publish(*publisher, 4);
  std::atomic<size_t> told{0};
  subscription->set_on_new_message_callback([&](size_t count) { told += count; });
  EXPECT_TRUE(eventually([&] { return told == 4; }));
}

TEST_F(NewMessageCallbacks, LeaveTheMessagesToTake) {
  const auto publisher = node_->create_publisher<Block>("topic", 10);
  const auto subscription = node_->create_subscription<Block>("topic", 10, kIgnore);
  ASSERT_TRUE(matched(publisher));
  std::atomic<size_t> told{0};
  subscription->set_on_new_message_callback([&](size_t count) { told += count; });
  publish(*publisher, 2);
  ASSERT_TRUE(eventually([&] { return told == 2; }));
  const auto block = std::make_unique<Block>();
  rclcpp::MessageInfo info;
  ASSERT_TRUE(subscription->take(*block, info));
  const auto index = block->index;
  ASSERT_TRUE(subscription->take(*block, info));
  EXPECT_EQ(block->index, index + 1);
  EXPECT_FALSE(subscription->take(*block, info));
}

TEST_F(NewMessageCallbacks, KeepTheHistorysDepth) {
  const auto publisher = node_->create_publisher<Block>("topic", 10);
  const auto subscription = node_->create_subscription<Block>("topic", 2, kIgnore);
  ASSERT_TRUE(matched(publisher));
  std::atomic<size_t> told{0};
  subscription->set_on_new_message_callback([&](size_t count) { told += count; });
  const auto block = std::make_unique<Block>();
  for (size_t i = 1; i <= 5; ++i) {
    block->index = static_cast<int>(i);
    publisher->publish(*block);
    ASSERT_TRUE(eventually([&] { return told == i; }));
  }
  rclcpp::MessageInfo info;
  ASSERT_TRUE(subscription->take(*block, info));
  EXPECT_EQ(block->index, 4);
  ASSERT_TRUE(subscription->take(*block, info));
  EXPECT_EQ(block->index, 5);
  EXPECT_FALSE(subscription->take(*block, info));
}

TEST_F(NewMessageCallbacks, KeepTheSystemsDefaultDepth) {
  const auto publisher = node_->create_publisher<Block>("topic", 10);
  const auto subscription = node_->create_subscription<Block>("topic", rclcpp::SystemDefaultsQoS(), kIgnore);
  ASSERT_TRUE(matched(publisher));
  std::atomic<size_t> told{0};
  subscription->set_on_new_message_callback([&](size_t count) { told += count; });
  publish(*publisher, 5);
  ASSERT_TRUE(eventually([&] { return told == 5; }));
  const auto block = std::make_unique<Block>();
  rclcpp::MessageInfo info;
  for (int i = 0; i < 5; ++i) EXPECT_TRUE(subscription->take(*block, info));
}

TEST_F(NewMessageCallbacks, OfKeepAllLoseNothing) {
  constexpr int kCount = 300;  // more than wait in the subscription
  const auto qos = rclcpp::QoS(rclcpp::KeepAll()).reliable();
  const auto publisher = node_->create_publisher<Block>("topic", qos);
  const auto subscription = node_->create_subscription<Block>("topic", qos, kIgnore);
  ASSERT_TRUE(matched(publisher));
  std::atomic<size_t> told{0};
  subscription->set_on_new_message_callback([&](size_t count) { told += count; });
  std::thread thread([&] {
    const auto block = std::make_unique<Block>();
    for (block->index = 0; block->index < kCount; ++block->index) publisher->publish(*block);
  });
  const auto taken = std::make_unique<Block>();
  rclcpp::MessageInfo info;
  for (int expected = 0; expected < kCount; ++expected) {
    if (!eventually([&] { return subscription->take(*taken, info); })) {
      ADD_FAILURE() << "message " << expected << " is missing";
      break;
    }
    ASSERT_EQ(taken->index, expected);
  }
  EXPECT_TRUE(eventually([&] { return told == kCount; }));
  thread.join();
}

TEST_F(NewMessageCallbacks, GoWithAnExecutor) {
  // As deep as all that is published: an executor without a processor must not lose any.
  const auto publisher = node_->create_publisher<Block>("topic", 30);
  int called = 0;
  const auto subscription =
      node_->create_subscription<Block>("topic", 30, [&](std::shared_ptr<const Block>) { ++called; });
  ASSERT_TRUE(matched(publisher));
  publish(*publisher, 1);
  EXPECT_TRUE(spin_until([&] { return called == 1; }));  // the executor waits for it already
  std::atomic<size_t> told{0};
  subscription->set_on_new_message_callback([&](size_t count) { told += count; });
  std::thread thread([&] {
    for (int i = 0; i < 20; ++i) {
      publish(*publisher, 1);
      if (!eventually([&] { return told == static_cast<size_t>(i) + 1; })) break;
    }
  });
  while (called < 21) executor_->spin_once(test::kPatience);
  thread.join();
  EXPECT_EQ(told, 20u);
  subscription->clear_on_new_message_callback();
  publish(*publisher, 1);
  executor_->spin_once(test::kPatience);
  EXPECT_TRUE(spin_until([&] { return called == 22; }));
}

TEST_F(NewMessageCallbacks, GoWithAWaitSet) {
  const auto publisher = node_->create_publisher<Block>("topic", 10);
  const auto subscription = node_->create_subscription<Block>("topic", 10, kIgnore);
  ASSERT_TRUE(matched(publisher));
  rclcpp::WaitSet wait_set({{subscription}});
  EXPECT_EQ(wait_set.wait(0ms).kind(), rclcpp::WaitResultKind::Timeout);
  subscription->set_on_new_message_callback([](size_t) {});
  publish(*publisher, 1);
  const auto result = wait_set.wait(test::kPatience);
  EXPECT_EQ(result.kind(), rclcpp::WaitResultKind::Ready);
  const auto block = std::make_unique<Block>();
  rclcpp::MessageInfo info;
  EXPECT_TRUE(subscription->take(*block, info));
  wait_set.remove_subscription(subscription);
  wait_set.add_subscription(subscription);
  publish(*publisher, 1);
  EXPECT_EQ(wait_set.wait(test::kPatience).kind(), rclcpp::WaitResultKind::Ready);
}

TEST_F(NewMessageCallbacks, MayTakeReplaceThrowAndEndTheSubscription) {
  const auto publisher = node_->create_publisher<Block>("topic", 10);
  auto subscription = node_->create_subscription<Block>("topic", 10, kIgnore);
  ASSERT_TRUE(matched(publisher));
  std::atomic<int> steps{0};
  const auto block = std::make_unique<Block>();
  subscription->set_on_new_message_callback([&](size_t) {
    rclcpp::MessageInfo info;
    if (subscription->take(*block, info)) ++steps;
    subscription->set_on_new_message_callback([&](size_t) {
      subscription.reset();
      ++steps;
      throw std::runtime_error("thrown on purpose");
    });
  });
  publish(*publisher, 1);
  ASSERT_TRUE(eventually([&] { return steps == 1; }));
  publish(*publisher, 1);
  EXPECT_TRUE(eventually([&] { return steps == 2; }));
  EXPECT_TRUE(matched(publisher, 0));
}

TEST_F(NewMessageCallbacks, AreThereForServicesAndClients) {
  const auto service = node_->create_service<AddTwoInts>(
      "add", [](const AddTwoInts::Request::SharedPtr request, const AddTwoInts::Response::SharedPtr response) {
        response->sum = request->a + request->b;
      });
  const auto client = node_->create_client<AddTwoInts>("add");
  ASSERT_TRUE(client->wait_for_service(test::kPatience));
  std::atomic<size_t> requests{0};
  std::atomic<size_t> responses{0};
  service->set_on_new_request_callback([&](size_t count) { requests += count; });
  client->set_on_new_response_callback([&](size_t count) { responses += count; });
  const auto request = std::make_shared<AddTwoInts::Request>();
  request->a = 1;
  request->b = 2;
  auto future = client->async_send_request(request);
  ASSERT_TRUE(eventually([&] { return requests == 1; }));
  EXPECT_EQ(responses, 0u);
  ASSERT_TRUE(spin_until([&] { return future.wait_for(0s) == std::future_status::ready; }));
  EXPECT_EQ(future.get()->sum, 3);
  EXPECT_EQ(responses, 1u);
  service->clear_on_new_request_callback();
  client->clear_on_new_response_callback();

  client->async_send_request(request);
  AddTwoInts::Request taken;
  rmw_request_id_t id;
  ASSERT_TRUE(eventually([&] { return service->take_request(taken, id); }));
  EXPECT_EQ(taken.b, 2);
  AddTwoInts::Response response;
  response.sum = 7;
  service->send_response(id, response);
  AddTwoInts::Response received;
  ASSERT_TRUE(eventually([&] { return client->take_response(received, id); }));
  EXPECT_EQ(received.sum, 7);
  EXPECT_THROW(service->set_on_new_request_callback(nullptr), std::invalid_argument);
  EXPECT_THROW(client->set_on_new_response_callback(nullptr), std::invalid_argument);
}

TEST_F(NewMessageCallbacks, OfTimersCountResets) {
  const auto timer = node_->create_wall_timer(1h, [] {});
  timer->reset();
  timer->reset();
  size_t resets = 0;
  timer->set_on_reset_callback([&](size_t count) { resets += count; });
  EXPECT_EQ(resets, 2u);
  timer->reset();
  EXPECT_EQ(resets, 3u);
  timer->clear_on_reset_callback();
  timer->reset();
  EXPECT_EQ(resets, 3u);
  EXPECT_THROW(timer->set_on_reset_callback(nullptr), std::invalid_argument);
}

TEST_F(NewMessageCallbacks, MayBeSetAfterShutdown) {
  const auto subscription = node_->create_subscription<Block>("topic", 10, kIgnore);
  rclcpp::shutdown();
  EXPECT_NO_THROW(subscription->set_on_new_message_callback([](size_t) {}));
  EXPECT_NO_THROW(subscription->clear_on_new_message_callback());
}
