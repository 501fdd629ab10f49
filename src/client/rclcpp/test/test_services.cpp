// Services and clients, as programs for ROS 2 use them.
#include "support.hpp"

#include <future>
#include <mutex>
#include <set>
#include <thread>

#include "example_interfaces/srv/add_two_ints.hpp"
#include "rcl_interfaces/srv/list_parameters.hpp"

using namespace std::chrono_literals;
using example_interfaces::srv::AddTwoInts;
using rcl_interfaces::srv::ListParameters;
using AddClient = rclcpp::Client<AddTwoInts>;
using AddService = rclcpp::Service<AddTwoInts>;

namespace {

void add(const std::shared_ptr<AddTwoInts::Request> request, std::shared_ptr<AddTwoInts::Response> response) {
  response->sum = request->a + request->b;
}

std::shared_ptr<AddTwoInts::Request> request_of(std::int64_t a, std::int64_t b) {
  auto request = std::make_shared<AddTwoInts::Request>();
  request->a = a;
  request->b = b;
  return request;
}

class Services : public test::WithNode {
 protected:
  void SetUp() override {
    test::WithNode::SetUp();
    client_ = node_->create_client<AddTwoInts>("add");
  }
  void TearDown() override {
    client_.reset();
    test::WithNode::TearDown();
  }
  /// The sum, as the service says.
  std::int64_t call(std::int64_t a, std::int64_t b) {
    EXPECT_TRUE(client_->wait_for_service(test::kPatience));
    auto future = client_->async_send_request(request_of(a, b));
    EXPECT_EQ(executor_->spin_until_future_complete(future, test::kPatience), rclcpp::FutureReturnCode::SUCCESS);
    return future.get()->sum;
  }

  AddClient::SharedPtr client_;
};

struct Adder {
  void add(const std::shared_ptr<AddTwoInts::Request> request, const std::shared_ptr<AddTwoInts::Response> response) {
    response->sum = request->a + request->b + offset;
  }
  void add_with_header(const std::shared_ptr<rmw_request_id_t>, const std::shared_ptr<AddTwoInts::Request> request,
                       const std::shared_ptr<AddTwoInts::Response> response) {
    add(request, response);
  }
  std::int64_t offset = 100;
};

TEST_F(Services, AreMadeOfPartsOfTheNodeToo) {
  const auto services = node_->get_node_services_interface();
  const auto service = rclcpp::create_service<AddTwoInts>(node_->get_node_base_interface(), services, "add", add,
                                                          rmw_qos_profile_services_default, nullptr);
  client_ = rclcpp::create_client<AddTwoInts>(node_->get_node_base_interface(), node_->get_node_graph_interface(),
                                              services, "add", rmw_qos_profile_services_default, nullptr);
  EXPECT_EQ(call(1, 2), 3);
}

TEST_F(Services, EveryCallbackFormIsCalled) {
  using Request = std::shared_ptr<AddTwoInts::Request>;
  using Response = std::shared_ptr<AddTwoInts::Response>;
  using Header = std::shared_ptr<rmw_request_id_t>;
  AddService::SharedPtr service = node_->create_service<AddTwoInts>("add", add);
  EXPECT_EQ(call(1, 2), 3);
  service =
      node_->create_service<AddTwoInts>("add", [](Request request, Response response) { add(request, response); });
  EXPECT_EQ(call(2, 3), 5);
  service = rclcpp::create_service<AddTwoInts>(node_->get_node_base_interface(), node_->get_node_services_interface(),
                                               "add", add, rmw_qos_profile_services_default, nullptr);
  EXPECT_EQ(call(3, 3), 6);
  const auto client = rclcpp::create_client<AddTwoInts>(
      node_->get_node_base_interface(), node_->get_node_graph_interface(), node_->get_node_services_interface(), "add",
      rmw_qos_profile_services_default, nullptr);
  EXPECT_TRUE(client->wait_for_service(test::kPatience));
  service = node_->create_service<AddTwoInts>("add", [](const Header header, const Request request, Response response) {
    EXPECT_GT(header->sequence_number, 0);
    add(request, response);
  });
  EXPECT_EQ(call(3, 4), 7);
  Adder adder;
  service = node_->create_service<AddTwoInts>(
      "add", std::bind(&Adder::add, &adder, std::placeholders::_1, std::placeholders::_2));
  EXPECT_EQ(call(1, 1), 102);
  service = node_->create_service<AddTwoInts>("add", std::bind(&Adder::add_with_header, &adder, std::placeholders::_1,
                                                               std::placeholders::_2, std::placeholders::_3));
  EXPECT_EQ(call(1, 2), 103);
  service = node_->create_service<AddTwoInts>("add", [&service](const Header header, const Request request) {
    AddTwoInts::Response response;
    response.sum = request->a - request->b;
    service->send_response(*header, response);
  });
  EXPECT_EQ(call(5, 2), 3);
  service = node_->create_service<AddTwoInts>(
      "add", [](AddService::SharedPtr self, const Header header, const Request request) {
        AddTwoInts::Response response;
        response.sum = request->a * request->b;
        self->send_response(*header, response);
      });
  EXPECT_EQ(call(5, 2), 10);
}

TEST_F(Services, ResponseIsBlankAtFirstAndMayBeKept) {
  std::vector<std::shared_ptr<AddTwoInts::Response>> kept;
  const auto service = node_->create_service<AddTwoInts>(
      "add",
      [&kept](const std::shared_ptr<AddTwoInts::Request> request, std::shared_ptr<AddTwoInts::Response> response) {
        EXPECT_EQ(response->sum, 0);
        add(request, response);
        if (request->a % 2 == 0) kept.push_back(response);
      });
  for (std::int64_t i = 1; i < 20; ++i) EXPECT_EQ(call(i, i), 2 * i);
  ASSERT_EQ(kept.size(), 9u);
  for (std::size_t i = 0; i < kept.size(); ++i) EXPECT_EQ(kept[i]->sum, static_cast<std::int64_t>(4 * (i + 1)));
}

/// What was published before a request is handled before it, whichever of the two the executor finds first.
TEST_F(Services, MessagesThatWaitAreHandledFirst) {
  constexpr std::size_t kEach = 8;
  std::string handled;  // 'm': a message, 'r': a request
  std::vector<rclcpp::Publisher<test::Block>::SharedPtr> publishers;
  std::vector<rclcpp::Subscription<test::Block>::SharedPtr> subscriptions;
  std::vector<AddService::SharedPtr> services;
  std::vector<AddClient::SharedPtr> clients;
  for (std::size_t i = 0; i < kEach; ++i) {
    const std::string name = "name" + std::to_string(i);
    services.push_back(node_->create_service<AddTwoInts>(
        name, [&](std::shared_ptr<AddTwoInts::Request> request, std::shared_ptr<AddTwoInts::Response> response) {
          handled += 'r';
          add(request, response);
        }));
    subscriptions.push_back(
        node_->create_subscription<test::Block>(name, 10, [&](const test::Block &) { handled += 'm'; }));
    publishers.push_back(node_->create_publisher<test::Block>(name, 10));
    clients.push_back(node_->create_client<AddTwoInts>(name));
  }
  for (std::size_t i = 0; i < kEach; ++i) {
    ASSERT_TRUE(clients[i]->wait_for_service(test::kPatience));
    ASSERT_TRUE(test::eventually([&] { return publishers[i]->get_subscription_count() == 1; }));
  }
  // Before the executor waits for the first time it asks all, later the wait-set may name those that are ready.
  for (int round = 0; round < 3; ++round) {
    handled.clear();
    for (std::size_t i = 0; i < kEach; ++i) publishers[i]->publish(test::Block());
    std::vector<AddClient::FutureAndRequestId> futures;
    for (const auto & client : clients) futures.push_back(client->async_send_request(request_of(1, 2)));
    for (std::size_t i = 0; i < kEach; ++i) {
      ASSERT_TRUE(test::eventually([&] { return subscriptions[i]->has_data() && services[i]->has_data(); }));
    }
    for (auto & future : futures) {
      ASSERT_EQ(executor_->spin_until_future_complete(future, test::kPatience), rclcpp::FutureReturnCode::SUCCESS);
    }
    EXPECT_EQ(handled, std::string(kEach, 'm') + std::string(kEach, 'r')) << "in round " << round;
  }
}

TEST_F(Services, StringsAndSequencesGoBothWays) {
  const auto service = node_->create_service<ListParameters>(
      "list",
      [](const std::shared_ptr<ListParameters::Request> request, std::shared_ptr<ListParameters::Response> response) {
        for (const auto & prefix : request->prefixes) {
          response->result.names.push_back(std::string(prefix.c_str()) + std::string(request->depth, 'x'));
        }
      });
  const auto client = node_->create_client<ListParameters>("list");
  ASSERT_TRUE(client->wait_for_service(test::kPatience));
  for (std::uint64_t i = 0; i < 50; ++i) {
    auto request = std::make_shared<ListParameters::Request>();
    request->prefixes.resize(i % 5);
    for (auto & prefix : request->prefixes) prefix = "p";
    request->depth = i * 10;
    auto future = client->async_send_request(request);
    ASSERT_EQ(executor_->spin_until_future_complete(future, test::kPatience), rclcpp::FutureReturnCode::SUCCESS);
    const auto response = future.get();
    ASSERT_EQ(response->result.names.size(), i % 5);
    for (const auto & name : response->result.names) EXPECT_EQ(name.size(), i * 10 + 1);
  }
}

TEST_F(Services, CallbacksGetFutures) {
  const auto service = node_->create_service<AddTwoInts>("add", add);
  ASSERT_TRUE(client_->wait_for_service(test::kPatience));
  std::int64_t sum = 0;
  const auto sent = client_->async_send_request(request_of(1, 2),
                                                [&sum](AddClient::SharedFuture future) { sum = future.get()->sum; });
  EXPECT_TRUE(spin_until([&] { return sum == 3; }));
  EXPECT_EQ(sent.future.get()->sum, 3);
  std::int64_t a = 0;
  const auto with_request =
      client_->async_send_request(request_of(10, 20), [&](AddClient::SharedFutureWithRequest future) {
        a = future.get().first->a;
        sum = future.get().second->sum;
      });
  EXPECT_TRUE(spin_until([&] { return sum == 30; }));
  EXPECT_EQ(a, 10);
  EXPECT_NE(with_request.request_id, sent.request_id);
}

TEST_F(Services, PendingRequestsAreRemovedAndPruned) {
  const auto silent = node_->create_service<AddTwoInts>(
      "add", [](const std::shared_ptr<rmw_request_id_t>, const std::shared_ptr<AddTwoInts::Request>) {});
  ASSERT_TRUE(client_->wait_for_service(test::kPatience));
  auto first = client_->async_send_request(request_of(1, 1));
  EXPECT_TRUE(client_->remove_pending_request(first));
  EXPECT_FALSE(client_->remove_pending_request(first.request_id));
  EXPECT_THROW(first.get(), std::future_error);
  const auto second = client_->async_send_request(request_of(2, 2));
  const auto after_second = std::chrono::system_clock::now() + 1ns;
  std::vector<std::int64_t> pruned;
  EXPECT_EQ(client_->prune_requests_older_than(after_second, &pruned), 1u);
  EXPECT_EQ(pruned, std::vector<std::int64_t>{second.request_id});
  client_->async_send_request(request_of(3, 3), [](AddClient::SharedFuture) { FAIL() << "it was pruned"; });
  client_->async_send_request(request_of(4, 4));
  EXPECT_EQ(client_->prune_pending_requests(), 2u);
  EXPECT_EQ(client_->prune_pending_requests(), 0u);
}

TEST_F(Services, ResponseToAForgottenRequestIsDropped) {
  std::vector<rmw_request_id_t> headers;
  const auto service = node_->create_service<AddTwoInts>(
      "add", [&](const std::shared_ptr<rmw_request_id_t> header, const std::shared_ptr<AddTwoInts::Request>) {
        headers.push_back(*header);
      });
  ASSERT_TRUE(client_->wait_for_service(test::kPatience));
  const auto forgotten = client_->async_send_request(request_of(1, 1));
  auto wanted = client_->async_send_request(request_of(2, 2));
  ASSERT_TRUE(spin_until([&] { return headers.size() == 2; }));
  client_->remove_pending_request(forgotten);
  AddTwoInts::Response response;
  for (std::size_t i = 0; i < headers.size(); ++i) {  // the second twice
    response.sum = static_cast<std::int64_t>(i);
    service->send_response(headers[i], response);
  }
  service->send_response(headers[1], response);
  ASSERT_EQ(executor_->spin_until_future_complete(wanted, test::kPatience), rclcpp::FutureReturnCode::SUCCESS);
  EXPECT_EQ(wanted.get()->sum, 1);
}

TEST_F(Services, AreWaitedFor) {
  EXPECT_FALSE(client_->service_is_ready());
  EXPECT_FALSE(client_->wait_for_service(0s));
  EXPECT_FALSE(client_->wait_for_service(20ms));
  auto waiter = std::async(std::launch::async, [this] { return client_->wait_for_service(); });
  auto service = node_->create_service<AddTwoInts>("add", add);
  EXPECT_TRUE(waiter.get());
  service.reset();
  EXPECT_TRUE(test::eventually([&] { return !client_->service_is_ready(); }));
}

TEST_F(Services, ShutdownEndsTheWaiting) {
  auto waiter = std::async(std::launch::async, [this] { return client_->wait_for_service(); });
  rclcpp::shutdown();
  EXPECT_FALSE(waiter.get());
}

TEST_F(Services, NamesAreExpandedAndRemapped) {
  EXPECT_STREQ(client_->get_service_name(), "/ns/add");
  const auto service = node_->create_service<AddTwoInts>("~/add", add);
  EXPECT_STREQ(service->get_service_name(), "/ns/node/add");
  const auto remapped = std::make_shared<rclcpp::Node>(
      "other", "", rclcpp::NodeOptions().arguments({"--ros-args", "-r", "add:=sum", "-r", "rostopic://add:=topic"}));
  EXPECT_STREQ(remapped->create_client<AddTwoInts>("add")->get_service_name(), "/sum");
  EXPECT_THROW(node_->create_client<AddTwoInts>("bad name"), rclcpp::exceptions::InvalidServiceNameError);
}

TEST_F(Services, TakeWithoutAnExecutor) {
  const auto idle = std::make_shared<rclcpp::Node>("idle");
  const auto service = idle->create_service<AddTwoInts>("/ns/add", add);
  ASSERT_TRUE(client_->wait_for_service(test::kPatience));
  auto future = client_->async_send_request(request_of(4, 5));
  AddTwoInts::Request request;
  rmw_request_id_t header;
  ASSERT_TRUE(test::eventually([&] { return service->take_request(request, header); }));
  EXPECT_EQ(request.a, 4);
  EXPECT_FALSE(service->take_request(request, header));
  AddTwoInts::Response response;
  response.sum = 9;
  service->send_response(header, response);
  AddTwoInts::Response taken;
  rmw_request_id_t answered;
  ASSERT_TRUE(test::eventually([&] { return client_->take_response(taken, answered); }));
  EXPECT_EQ(answered.sequence_number, future.request_id);
  EXPECT_EQ(taken.sum, 9);
}

// A service that calls another one waits in its callback; the executor serves the response meanwhile.
TEST_F(Services, CallEachOtherInAMultiThreadedExecutor) {
  const auto group = node_->create_callback_group(rclcpp::CallbackGroupType::MutuallyExclusive);
  const auto inner = node_->create_service<AddTwoInts>("inner", add, rclcpp::ServicesQoS(), group);
  const auto inner_group = node_->create_callback_group(rclcpp::CallbackGroupType::MutuallyExclusive);
  const auto inner_client = node_->create_client<AddTwoInts>("inner", rclcpp::ServicesQoS(), inner_group);
  const auto outer = node_->create_service<AddTwoInts>(
      "add", [&](const std::shared_ptr<AddTwoInts::Request> request, std::shared_ptr<AddTwoInts::Response> response) {
        auto future = inner_client->async_send_request(request);
        ASSERT_EQ(future.wait_for(test::kPatience), std::future_status::ready);
        response->sum = 2 * future.get()->sum;
      });
  ASSERT_TRUE(inner_client->wait_for_service(test::kPatience));
  ASSERT_TRUE(client_->wait_for_service(test::kPatience));
  executor_->remove_node(node_);
  rclcpp::executors::MultiThreadedExecutor executor(rclcpp::ExecutorOptions(), 4);
  executor.add_node(node_);
  std::thread spinner([&] { executor.spin(); });
  const auto other = std::make_shared<rclcpp::Node>("other");
  const auto client = other->create_client<AddTwoInts>("/ns/add");
  EXPECT_TRUE(client->wait_for_service(test::kPatience));
  for (std::int64_t i = 0; i < 20; ++i) {
    auto future = client->async_send_request(request_of(i, 1));
    EXPECT_EQ(rclcpp::spin_until_future_complete(other, future, test::kPatience), rclcpp::FutureReturnCode::SUCCESS);
    EXPECT_EQ(future.get()->sum, 2 * (i + 1));
  }
  executor.cancel();
  spinner.join();
}

TEST_F(Services, ComeAndGoUnderAnExecutor) {
  executor_->remove_node(node_);
  rclcpp::executors::MultiThreadedExecutor executor(rclcpp::ExecutorOptions(), 3);
  executor.add_node(node_);
  std::thread spinner([&] { executor.spin(); });
  std::set<std::int64_t> sums;
  for (std::int64_t i = 0; i < 30; ++i) {
    const auto service = node_->create_service<AddTwoInts>("add", add);
    const auto client = node_->create_client<AddTwoInts>("add");
    EXPECT_TRUE(client->wait_for_service(test::kPatience));
    auto future = client->async_send_request(request_of(i, 0));
    EXPECT_EQ(future.wait_for(test::kPatience), std::future_status::ready);
    sums.insert(future.get()->sum);
  }
  EXPECT_EQ(sums.size(), 30u);
  executor.cancel();
  spinner.join();
}

TEST_F(Services, AreWaitedForByWaitSets) {
  const auto idle = std::make_shared<rclcpp::Node>("idle");
  const auto service = idle->create_service<AddTwoInts>("/ns/add", add);
  ASSERT_TRUE(client_->wait_for_service(test::kPatience));
  rclcpp::WaitSet wait_set({}, {}, {}, {client_}, {service});
  EXPECT_EQ(wait_set.wait(0s).kind(), rclcpp::WaitResultKind::Timeout);
  auto future = client_->async_send_request(request_of(4, 5));
  auto result = wait_set.wait(test::kPatience);
  ASSERT_EQ(result.kind(), rclcpp::WaitResultKind::Ready);
  EXPECT_EQ(result.next_ready_client(), nullptr);
  EXPECT_EQ(result.next_ready_service(), service);
  EXPECT_EQ(result.next_ready_service(), nullptr);
  AddTwoInts::Request request;
  rmw_request_id_t header;
  ASSERT_TRUE(service->take_request(request, header));
  AddTwoInts::Response response;
  response.sum = request.a + request.b;
  service->send_response(header, response);
  auto answered = wait_set.wait(test::kPatience);
  ASSERT_EQ(answered.kind(), rclcpp::WaitResultKind::Ready);
  EXPECT_EQ(answered.next_ready_client(), client_);
  AddTwoInts::Response taken;
  ASSERT_TRUE(client_->take_response(taken, header));
  EXPECT_EQ(taken.sum, 9);
  EXPECT_THROW(rclcpp::WaitSet({}, {}, {}, {client_}), std::runtime_error) << "it is in a wait-set";
  wait_set.remove_client(client_);
  wait_set.remove_service(service);
  EXPECT_EQ(wait_set.wait(0s).kind(), rclcpp::WaitResultKind::Empty);
}

TEST_F(Services, ExceptionsOfCallbacksLeaveTheSpin) {
  const auto service = node_->create_service<AddTwoInts>(
      "add", [](const std::shared_ptr<AddTwoInts::Request>, std::shared_ptr<AddTwoInts::Response>) {
        throw std::runtime_error("on purpose");
      });
  ASSERT_TRUE(client_->wait_for_service(test::kPatience));
  client_->async_send_request(request_of(1, 1));
  EXPECT_THROW(executor_->spin_once(test::kPatience), std::runtime_error);
}

TEST_F(Services, NullCallbacksAreRefused) {
  std::function<void(std::shared_ptr<AddTwoInts::Request>, std::shared_ptr<AddTwoInts::Response>)> none;
  EXPECT_THROW(node_->create_service<AddTwoInts>("add", none), std::invalid_argument);
}

}  // namespace
