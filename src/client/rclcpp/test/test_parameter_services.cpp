// A node's parameters as other nodes see and set them.
#include "support.hpp"

#include <fstream>
#include <functional>
#include <thread>

#include "rclcpp/parameter_client.hpp"
#include "rclcpp/parameter_event_handler.hpp"
#include "rclcpp/parameter_events_filter.hpp"

using namespace std::chrono_literals;
using rclcpp::AsyncParametersClient;
using rclcpp::Parameter;
using rclcpp::SyncParametersClient;

namespace {

class ParameterServices : public test::Rclcpp {
 protected:
  void SetUp() override {
    test::Rclcpp::SetUp();
    remote_ = std::make_shared<rclcpp::Node>("remote", "/ns");
    remote_->declare_parameter("number", 7);
    remote_->declare_parameter("text", "hello");
    remote_->declare_parameter("group.inner", 2.5);
    rcl_interfaces::msg::ParameterDescriptor fixed;
    fixed.read_only = true;
    fixed.description = "never changes";
    remote_->declare_parameter("fixed", true, fixed);
    server_.emplace();
    server_->add_node(remote_);
    thread_ = std::thread([this] { server_->spin(); });
    node_ = std::make_shared<rclcpp::Node>("asking");
    client_ = std::make_shared<SyncParametersClient>(node_, "/ns/remote");
    ASSERT_TRUE(client_->wait_for_service(test::kPatience));
  }
  void TearDown() override {
    rclcpp::shutdown();  // unlike cancel(), it also ends a spin() that has yet to begin
    thread_.join();
    server_.reset();
    client_.reset();
    test::Rclcpp::TearDown();
  }

  std::shared_ptr<rclcpp::Node> remote_;
  std::optional<rclcpp::executors::SingleThreadedExecutor> server_;
  std::thread thread_;
  std::shared_ptr<rclcpp::Node> node_;
  SyncParametersClient::SharedPtr client_;
};

TEST_F(ParameterServices, GetAndSet) {
  EXPECT_EQ(client_->get_parameter<int>("number"), 7);
  EXPECT_EQ(client_->get_parameter<std::string>("text"), "hello");
  EXPECT_EQ(client_->get_parameter<double>("group.inner"), 2.5);
  EXPECT_EQ(client_->get_parameter<int>("absent", 3), 3);
  EXPECT_THROW(client_->get_parameter<int>("absent"), std::runtime_error);
  const auto results = client_->set_parameters({Parameter("number", 8), Parameter("text", 9), Parameter("fixed", false),
                                                Parameter("absent", 1), Parameter("group.inner", 3.5)});
  ASSERT_EQ(results.size(), 5u);
  EXPECT_TRUE(results[0].successful);
  EXPECT_FALSE(results[1].successful) << "another type";
  EXPECT_FALSE(results[2].successful) << "read only";
  EXPECT_FALSE(results[3].successful) << "not declared";
  EXPECT_NE(results[3].reason, "");
  EXPECT_TRUE(results[4].successful);
  const auto values = client_->get_parameters({"number", "text", "fixed", "group.inner"});
  ASSERT_EQ(values.size(), 4u);
  EXPECT_EQ(values[0].as_int(), 8);
  EXPECT_EQ(values[1].as_string(), "hello");
  EXPECT_TRUE(values[2].as_bool());
  EXPECT_EQ(values[3].as_double(), 3.5);
}

TEST_F(ParameterServices, AtomicallyMeansAllOrNone) {
  EXPECT_FALSE(client_->set_parameters_atomically({Parameter("number", 9), Parameter("fixed", false)}).successful);
  EXPECT_EQ(client_->get_parameter<int>("number"), 7);
  EXPECT_FALSE(client_->set_parameters_atomically({Parameter("number", 9), Parameter("absent", 1)}).successful);
  EXPECT_TRUE(client_->set_parameters_atomically({Parameter("number", 9), Parameter("text", "x")}).successful);
  EXPECT_EQ(client_->get_parameter<int>("number"), 9);
}

TEST_F(ParameterServices, ListAndDescribe) {
  EXPECT_TRUE(client_->has_parameter("number"));
  EXPECT_FALSE(client_->has_parameter("absent"));
  const auto listed = client_->list_parameters({"group"}, 10);
  ASSERT_EQ(listed.names.size(), 1u);
  EXPECT_EQ(listed.names[0], "group.inner");
  const auto described = client_->describe_parameters({"fixed"});
  ASSERT_EQ(described.size(), 1u);
  EXPECT_EQ(described[0].description, "never changes");
  EXPECT_TRUE(described[0].read_only);
  EXPECT_TRUE(client_->describe_parameters({"absent"}).empty());
  const auto types = client_->get_parameter_types({"number", "text"});
  EXPECT_EQ(types, (std::vector<rclcpp::ParameterType>{rclcpp::PARAMETER_INTEGER, rclcpp::PARAMETER_STRING}));
}

TEST_F(ParameterServices, LoadAFile) {
  const std::string file = testing::TempDir() + "parameters.yaml";
  std::ofstream(file) << "/ns/remote:\n  ros__parameters:\n    number: 11\n    text: loaded\n"
                      << "/other:\n  ros__parameters:\n    number: 12\n";
  const auto results = client_->load_parameters(file);
  ASSERT_EQ(results.size(), 2u);
  EXPECT_TRUE(results[0].successful && results[1].successful);
  EXPECT_EQ(client_->get_parameter<int>("number"), 11);
  EXPECT_EQ(client_->get_parameter<std::string>("text"), "loaded");
  EXPECT_THROW(client_->load_parameters("absent.yaml"), rclcpp::exceptions::RCLError);
  std::ofstream(file) << "/other:\n  ros__parameters:\n    number: 12\n";
  EXPECT_THROW(client_->load_parameters(file), rclcpp::exceptions::InvalidParametersException) << "none for this node";
}

TEST_F(ParameterServices, OfTheNodeItself) {
  const auto own = std::make_shared<rclcpp::Node>("own");
  own->declare_parameter("x", 1);
  SyncParametersClient client(own);
  ASSERT_TRUE(client.wait_for_service(test::kPatience));
  EXPECT_EQ(client.get_parameter<int>("x"), 1);
}

TEST_F(ParameterServices, AsynchronouslyWithCallbacks) {
  rclcpp::executors::SingleThreadedExecutor executor;
  executor.add_node(node_);
  AsyncParametersClient client(node_, "/ns/remote");
  ASSERT_TRUE(client.wait_for_service(test::kPatience));
  bool is_called = false;
  auto future = client.get_parameters({"number"}, [&](std::shared_future<std::vector<Parameter>> result) {
    is_called = true;
    EXPECT_EQ(result.get().at(0).as_int(), 7);
  });
  EXPECT_EQ(executor.spin_until_future_complete(future, test::kPatience), rclcpp::FutureReturnCode::SUCCESS);
  EXPECT_TRUE(test::spin_until(executor, [&] { return is_called; }));
  auto deleted = client.delete_parameters({"number", "absent"});
  EXPECT_EQ(executor.spin_until_future_complete(deleted, test::kPatience), rclcpp::FutureReturnCode::SUCCESS);
  ASSERT_EQ(deleted.get().size(), 2u);
  EXPECT_FALSE(deleted.get()[0].successful) << "typed statically";
}

TEST_F(ParameterServices, ChangesOfOthersAreHeardOf) {
  rclcpp::executors::SingleThreadedExecutor executor;
  executor.add_node(node_);
  std::vector<std::string> changed;
  const auto subscription =
      AsyncParametersClient::on_parameter_event(node_, [&](const rcl_interfaces::msg::ParameterEvent::SharedPtr event) {
        if (event->node != "/ns/remote") return;
        for (const auto & parameter : event->changed_parameters) changed.push_back(parameter.name.c_str());
      });
  AsyncParametersClient client(node_, "/ns/remote");
  std::size_t heard = 0;
  const auto of_client =
      client.on_parameter_event([&heard](rcl_interfaces::msg::ParameterEvent::UniquePtr) { ++heard; });
  using Callback = std::function<void(rcl_interfaces::msg::ParameterEvent::SharedPtr)>;
  std::size_t named = 0;
  const auto callback = [&named](rcl_interfaces::msg::ParameterEvent::SharedPtr) { ++named; };
  const auto of_type = SyncParametersClient::on_parameter_event<Callback>(node_.get(), callback);
  ASSERT_TRUE(test::eventually([&] { return of_type->get_publisher_count() == 2; }));
  ASSERT_TRUE(test::eventually([&] { return subscription->get_publisher_count() == 2; }));
  ASSERT_TRUE(test::eventually([&] { return of_client->get_publisher_count() == 2; }));
  ASSERT_TRUE(client.wait_for_service(test::kPatience));
  client.set_parameters({Parameter("number", 100)});
  EXPECT_TRUE(test::spin_until(executor, [&] { return !changed.empty(); }));
  EXPECT_EQ(changed, std::vector<std::string>{"number"});
  EXPECT_TRUE(test::spin_until(executor, [&] { return heard != 0 && named != 0; }));
}

TEST_F(ParameterServices, HandlersAreCalledForTheirParameters) {
  rclcpp::executors::SingleThreadedExecutor executor;
  executor.add_node(node_);
  rclcpp::ParameterEventHandler handler(node_);
  std::vector<std::int64_t> numbers;
  std::size_t events = 0;
  auto of_number = handler.add_parameter_callback(
      "number", [&](const Parameter & parameter) { numbers.push_back(parameter.as_int()); }, "/ns/remote");
  const auto of_own = handler.add_parameter_callback("number", [](const Parameter &) { FAIL() << "of another node"; });
  const auto of_all = handler.add_parameter_event_callback(
      [&](const rcl_interfaces::msg::ParameterEvent & event) { events += event.node == "/ns/remote" ? 1 : 0; });
  AsyncParametersClient client(node_, "/ns/remote");
  ASSERT_TRUE(client.wait_for_service(test::kPatience));
  ASSERT_TRUE(test::spin_until(executor, [&] {  // until the subscription is matched as well
    client.set_parameters({Parameter("number", 1)});
    return !numbers.empty();
  }));
  const auto so_far = [&] { return numbers.size(); };
  client.set_parameters({Parameter("number", 42)});
  EXPECT_TRUE(test::spin_until(executor, [&] { return numbers.back() == 42; }));
  const std::size_t before = so_far();
  handler.remove_parameter_callback(of_number);
  EXPECT_THROW(handler.remove_parameter_callback(of_number), std::runtime_error);
  const std::size_t events_before = events;
  client.set_parameters({Parameter("number", 43)});
  EXPECT_TRUE(test::spin_until(executor, [&] { return events > events_before; }));
  EXPECT_EQ(numbers.size(), before);
}

TEST(ParameterEvents, AreFiltered) {
  auto event = std::make_shared<rcl_interfaces::msg::ParameterEvent>();
  event->node = "/n";
  const auto add = [](auto & to, const char * name) { to.push_back(Parameter(name, 1).to_parameter_msg()); };
  add(event->new_parameters, "new");
  add(event->changed_parameters, "changed");
  add(event->changed_parameters, "other");
  add(event->deleted_parameters, "deleted");
  using Filter = rclcpp::ParameterEventsFilter;
  const Filter filter(event, {"new", "changed", "deleted"}, {Filter::EventType::NEW, Filter::EventType::CHANGED});
  ASSERT_EQ(filter.get_events().size(), 2u);
  EXPECT_EQ(filter.get_events()[0].second->name, "new");
  EXPECT_EQ(filter.get_events()[1].first, Filter::EventType::CHANGED);
  Parameter found;
  EXPECT_TRUE(rclcpp::ParameterEventHandler::get_parameter_from_event(*event, found, "new", "/n"));
  EXPECT_FALSE(rclcpp::ParameterEventHandler::get_parameter_from_event(*event, found, "new", "/m"));
  EXPECT_EQ(rclcpp::ParameterEventHandler::get_parameter_from_event(*event, "absent", "/n"),
            rclcpp::Parameter("absent", rclcpp::PARAMETER_NOT_SET));
  EXPECT_THROW(rclcpp::ParameterEventHandler::get_parameter_from_event(*event, "new", "/m"), std::runtime_error);
  EXPECT_EQ(rclcpp::ParameterEventHandler::get_parameters_from_event(*event).size(), 3u);
}

TEST_F(ParameterServices, AreCopied) {
  node_->declare_parameter("number", 1);
  rclcpp::copy_all_parameter_values(remote_, node_);
  EXPECT_EQ(node_->get_parameter("number").as_int(), 1);
  EXPECT_EQ(node_->get_parameter("text").as_string(), "hello");
  EXPECT_TRUE(node_->describe_parameter("fixed").read_only);
  rclcpp::copy_all_parameter_values(remote_, node_, true);
  EXPECT_EQ(node_->get_parameter("number").as_int(), 7);
}

TEST_F(ParameterServices, NobodyAnswers) {
  SyncParametersClient client(node_, "/nobody");
  EXPECT_FALSE(client.service_is_ready());
  EXPECT_FALSE(client.wait_for_service(1ms));
  EXPECT_TRUE(client.get_parameters({"x"}, 1ms).empty());
}

TEST_F(ParameterServices, MayBeLeftOut) {
  const auto closed = std::make_shared<rclcpp::Node>("closed", rclcpp::NodeOptions().start_parameter_services(false));
  SyncParametersClient client(node_, "/closed");
  EXPECT_FALSE(client.wait_for_service(20ms));
}

TEST_F(ParameterServices, MayBeMadeOfANodesParts) {
  const auto bare = std::make_shared<rclcpp::Node>("bare", rclcpp::NodeOptions().start_parameter_services(false));
  bare->declare_parameter("number", 3);
  rclcpp::ParameterService service(bare->get_node_base_interface(), bare->get_node_services_interface(),
                                   bare->get_node_parameters_interface().get());
  server_->add_node(bare);
  SyncParametersClient client(node_, "/bare");
  ASSERT_TRUE(client.wait_for_service(test::kPatience));
  EXPECT_EQ(client.get_parameter<int>("number"), 3);
  server_->remove_node(bare);
}

}  // namespace
