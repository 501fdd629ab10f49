// Lifecycle nodes as nodes: parameters, graph, parts, timers, clients and services; as components; what overloads see.
#include "managed_node.hpp"
#include "rcl_interfaces/srv/get_logger_levels.hpp"
#include "rclcpp/node_interfaces/node_interfaces.hpp"
#include "rclcpp_components/register_node_macro.hpp"
#include "std_msgs/msg/string.hpp"

using rcl_interfaces::srv::GetLoggerLevels;
using std_msgs::msg::String;
using test::ManagedNode;

namespace {

class ManagedComponent : public rclcpp_lifecycle::LifecycleNode {
 public:
  explicit ManagedComponent(const rclcpp::NodeOptions & options) : LifecycleNode("managed_component", options) {}
};

const char * kind_of(rclcpp::Node *) { return "node"; }
const char * kind_of(rclcpp_lifecycle::LifecycleNode *) { return "lifecycle node"; }

class LifecycleNodes : public test::Rclcpp {
 protected:
  void SetUp() override {
    Rclcpp::SetUp();
    managed_ = std::make_shared<ManagedNode>("managed", "/ns");
  }
  void TearDown() override {
    managed_.reset();
    Rclcpp::TearDown();
  }
  std::shared_ptr<ManagedNode> managed_;
};

TEST_F(LifecycleNodes, HaveNamesOptionsAndAClock) {
  EXPECT_STREQ(managed_->get_name(), "managed");
  EXPECT_STREQ(managed_->get_namespace(), "/ns");
  EXPECT_STREQ(managed_->get_fully_qualified_name(), "/ns/managed");
  EXPECT_STREQ(managed_->get_logger().get_name(), "ns.managed");
  EXPECT_GT(managed_->now().nanoseconds(), 0);
  EXPECT_TRUE(managed_->get_node_options().arguments().empty());
  EXPECT_EQ(managed_->shared_from_this(), managed_);
  EXPECT_THROW(ManagedNode("not a name"), rclcpp::exceptions::InvalidNodeNameError);
}

TEST_F(LifecycleNodes, HaveParameters) {
  managed_.reset();
  rclcpp::NodeOptions options;
  options.append_parameter_override("rate", 5);
  const auto node = std::make_shared<ManagedNode>("managed", options);
  EXPECT_EQ(node->declare_parameter("rate", 1), 5);
  std::vector<std::string> changed;
  const auto handle = node->add_on_set_parameters_callback([&](const std::vector<rclcpp::Parameter> & parameters) {
    for (const auto & parameter : parameters) changed.push_back(parameter.get_name());
    rcl_interfaces::msg::SetParametersResult result;
    result.successful = true;
    return result;
  });
  EXPECT_TRUE(node->set_parameter(rclcpp::Parameter("rate", 7)).successful);
  EXPECT_EQ(changed, std::vector<std::string>{"rate"});
  int rate = 0;
  EXPECT_TRUE(node->get_parameter("rate", rate));
  EXPECT_EQ(rate, 7);
  EXPECT_EQ(node->get_parameter_or("none", 3), 3);
  const auto names = node->list_parameters({}, 0).names;
  EXPECT_EQ(names.size(), 3u);  // with use_sim_time and start_type_description_service
  EXPECT_TRUE(node->has_parameter("rate"));
  EXPECT_FALSE(node->has_parameter("none"));
}

TEST_F(LifecycleNodes, AreInTheGraphWithTheirServices) {
  const auto services = managed_->get_service_names_and_types_by_node("managed", "/ns");
  EXPECT_EQ(services.at("/ns/managed/change_state"), std::vector<std::string>{"lifecycle_msgs/srv/ChangeState"});
  EXPECT_EQ(services.at("/ns/managed/get_transition_graph"),
            std::vector<std::string>{"lifecycle_msgs/srv/GetAvailableTransitions"});
  EXPECT_EQ(managed_->count_services("~/get_state"), 1u);
  EXPECT_EQ(managed_->get_topic_names_and_types().at("/ns/managed/transition_event"),
            std::vector<std::string>{"lifecycle_msgs/msg/TransitionEvent"});
  const auto names = managed_->get_node_names();
  EXPECT_EQ(std::count(names.begin(), names.end(), "/ns/managed"), 1);
}

TEST_F(LifecycleNodes, HaveThePartsOfANode) {
  EXPECT_NE(managed_->get_node_base_interface(), nullptr);
  EXPECT_NE(managed_->get_node_type_descriptions_interface(), nullptr);
  rclcpp::node_interfaces::NodeInterfaces<ALL_RCLCPP_NODE_INTERFACES> parts(*managed_);
  EXPECT_EQ(parts.get_node_graph_interface(), managed_->get_node_graph_interface());
  EXPECT_EQ(rclcpp::create_publisher<String>(managed_, "topic", 1)->get_topic_name(), std::string("/ns/topic"));
  EXPECT_STREQ(kind_of(managed_.get()), "lifecycle node");
}

TEST_F(LifecycleNodes, SubscribeServeAndCallInEveryState) {
  rclcpp::executors::SingleThreadedExecutor executor;
  executor.add_node(managed_->get_node_base_interface());
  int received = 0;
  const auto subscription = managed_->create_subscription<String>("topic", 10, [&](const String &) { ++received; });
  const auto publisher = managed_->create_publisher<String>("topic", 10);
  publisher->on_activate();
  ASSERT_TRUE(test::eventually([&] { return publisher->get_subscription_count() == 1; }));
  publisher->publish(String());
  EXPECT_TRUE(test::spin_until(executor, [&] { return received == 1; }));
  const auto service = managed_->create_service<GetLoggerLevels>(
      "~/levels", [](const std::shared_ptr<GetLoggerLevels::Request>, std::shared_ptr<GetLoggerLevels::Response>) {});
  const auto client = managed_->create_client<GetLoggerLevels>("~/levels");
  ASSERT_TRUE(client->wait_for_service(test::kPatience));
  auto future = client->async_send_request(std::make_shared<GetLoggerLevels::Request>());
  EXPECT_EQ(executor.spin_until_future_complete(future, test::kPatience), rclcpp::FutureReturnCode::SUCCESS);
}

TEST_F(LifecycleNodes, ServeTheirLoggerIfAsked) {
  const auto node = std::make_shared<ManagedNode>("with_logger", rclcpp::NodeOptions().enable_logger_service(true));
  EXPECT_EQ(node->count_services("~/get_logger_levels"), 1u);
  EXPECT_EQ(managed_->count_services("~/get_logger_levels"), 0u);
}

TEST_F(LifecycleNodes, MayBeComponents) {
  rclcpp_components::NodeFactoryTemplate<ManagedComponent> factory;
  auto wrapper = factory.create_node_instance(rclcpp::NodeOptions());
  EXPECT_STREQ(wrapper.get_node_base_interface()->get_name(), "managed_component");
  EXPECT_EQ(managed_->count_services("/managed_component/change_state"), 1u);
}

TEST_F(LifecycleNodes, DieWithoutCallbacks) {
  int calls = 0;
  managed_->deeds["shutdown"] = [&] {
    ++calls;
    return test::CallbackReturn::SUCCESS;
  };
  managed_.reset();
  EXPECT_EQ(calls, 0);
}

}  // namespace
